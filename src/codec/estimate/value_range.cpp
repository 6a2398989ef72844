#include "codec/estimate/value_range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "codec/fill/find.h"
#include "codec/float_environment.h"
#include "codec/value_at.h"

namespace tightwire::codec {
namespace {

// The width of what a sample has between the ends of the range.
template <class T>
double width_inside(std::span<const std::byte> bytes, const Extent& range) {
  constexpr std::size_t wanted = 1024;
  const std::size_t count = bytes.size() / sizeof(T);
  const std::size_t stride = std::max<std::size_t>(1, count / wanted);
  Extent inside{range.largest, range.smallest};
  for (std::size_t i = 0; i < count; i += stride) {
    const auto value = static_cast<double>(value_at<T>(bytes, i));
    if (!(value > range.smallest && value < range.largest)) continue;
    inside.smallest = std::min(inside.smallest, value);
    inside.largest = std::max(inside.largest, value);
  }
  return std::max(0.0, inside.width());
}

// Others that are all the same may be what it is all about.
Extent without_fill(const FillValues& fills, const Extent& all) {
  return fills.others.width() > 0 ? fills.others : all;
}

template <class T>
ValueRange range_of(std::span<const std::byte> bytes, const Extent& all) {
  if (!(all.smallest <= all.largest)) return {};
  const Extent range = without_fill(find_fill_values<T>(bytes, all, 0), all);
  return {range.smallest, range.largest, true, width_inside<T>(bytes, range)};
}

// Whether one value may be the fill value of others.
bool is_apart(double value, const ValueRange& others) {
  const double gap = std::max(others.smallest - value, value - others.largest);
  return others.width() > 0 && gap > fill_apart * others.width();
}

}  // namespace

ValueRange ValueRange::joined(const ValueRange& other) const {
  if (!other.any) return *this;
  if (!any) return other;
  const ValueRange both{std::min(smallest, other.smallest), std::max(largest, other.largest), true};
  if (constant() == other.constant()) return both;
  const ValueRange& varied = constant() ? other : *this;
  const double single = constant() ? smallest : other.smallest;
  return is_apart(single, varied) ? varied : both;
}

ValueRange value_range(ElementType type, std::span<const std::byte> values) {
  return value_range(type, values, finite_extent(type, values));
}

ValueRange value_range(ElementType type, std::span<const std::byte> values, const Extent& finite) {
  const FloatEnvironment environment;
  return type == ElementType::float32 ? range_of<float>(values, finite)
                                      : range_of<double>(values, finite);
}

std::string wiped_out_text(std::size_t count, const ValueRange& range, double bound) {
  std::array<char, 400> text{};
  std::snprintf(
      text.data(), text.size(),
      "a relative error bound wipes out values: %zu of them range from %g to %g, so it is "
      "%g, and those between do not differ by more. If few values make that range, such "
      "as sentinels, give an absolute bound (--error-bound)",
      count, range.smallest, range.largest, bound);
  return text.data();
}

}  // namespace tightwire::codec
