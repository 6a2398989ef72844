#include "mpi/device/look.h"

#include <algorithm>
#include <cmath>

#include "codec/fill/find.h"
#include "mpi/device/pinned_pool.h"

namespace tightwire::mpi {
namespace {

using Sample = std::span<const std::byte>;

template <class T>
codec::FillValues fill_values(const Sample& sample, const codec::Extent& extent) {
  return codec::find_fill_values<T>(sample, extent, 0);
}

// They are far apart, but a sample may not have them.
bool sample_may_hide_some(codec::ElementType type, const Sample& sample,
                          const codec::ValueRange& range) {
  const codec::Extent seen = codec::finite_extent(type, sample);
  if (!(seen.width() > 0)) return range.any && !range.constant();
  const codec::FillValues fills = type == codec::ElementType::float32
                                      ? fill_values<float>(sample, seen)
                                      : fill_values<double>(sample, seen);
  const bool sampled = fills.others.width() < seen.width();
  return sampled || range.width() >= codec::fill_apart * seen.width();
}

// Whether so many of the largest and of the smallest different values are far from all others.
bool are_apart(const coder::Ends& ends, std::size_t high, std::size_t low) {
  const double largest = ends[high].largest;
  const double smallest = ends[low].smallest;
  const double apart = codec::fill_apart * (largest - smallest);
  const bool above = high == 0 || ends[high - 1].largest - largest > apart;
  const bool below = low == 0 || smallest - ends[low - 1].smallest > apart;
  return above && below;
}

// Each of them may stand there once only, which is not asked.
bool some_are_apart(const coder::Ends& ends) {
  for (std::size_t high = 0; high < ends.size(); ++high) {
    for (std::size_t low = 0; low < ends.size(); ++low) {
      if (!ends[high].any || !ends[low].any) return true;  // few different values
      if (high + low > 0 && are_apart(ends, high, low)) return true;
    }
  }
  return false;
}

}  // namespace

DeviceLook look_on_device(const coder::Values& values, std::span<std::byte> pinned) {
  const auto [range, sample] = coder::look_at(values, pinned);
  const bool may_hide = !sample.empty() && sample_may_hide_some(values.type, sample, range);
  return {range, may_hide && some_are_apart(coder::find_ends(values))};
}

std::optional<DeviceLook> look_at(const CodedBuffer& buffer, codec::ElementType type,
                                  std::span<const std::byte> image, bool for_fill_values) {
  const std::size_t sampled = for_fill_values ? std::min(sample_bytes, image.size()) : 0;
  const PinnedPool::Lease sample = pinned_pool().borrow(buffer.place(), sampled);
  if (!sample.is_pinned()) return std::nullopt;
  try {
    return look_on_device(buffer.values_at(type, image), std::span(sample.bytes(), sampled));
  } catch (const coder::Error& error) {
    buffer.tell_of(error);
    return std::nullopt;
  }
}

std::optional<double> bound_by(const DeviceLook& look, const settings::ErrorBound& bound) {
  if (bound.kind == settings::ErrorBound::Kind::absolute) return bound.value;
  if (look.may_have_fill_values) return std::nullopt;
  const double absolute = bound.value * look.range.width();
  return std::isnormal(absolute) ? std::optional(absolute) : std::nullopt;
}

}  // namespace tightwire::mpi
