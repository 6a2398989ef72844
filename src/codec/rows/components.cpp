#include "codec/rows/components.h"

#include <algorithm>
#include <array>
#include <bit>

#include "codec/bounded/layout.h"
#include "codec/estimate/integers.h"

namespace tightwire::codec {
namespace {

using bounded::block_values;
using bounded::most_components;

constexpr std::size_t predictors = 3;  // those that need no rows
// What is left with more components must be at most this part.
constexpr double better_part = 0.95;

// Bits of residuals that a predictor leaves, by component: of a block all bits that are set, and in
// all the widths of blocks.
using Residuals = std::array<std::array<std::uint64_t, most_components>, predictors>;
using Widths = std::array<std::array<unsigned, most_components>, predictors>;

// A block of each component, from `at` on.
void add_blocks(const std::int64_t* at, std::size_t components, Widths& widths) {
  Residuals any{};
  for (std::size_t turn = 0; turn < block_values; ++turn, at += components) {
    for (std::size_t k = 0; k < components; ++k) {
      const auto here = static_cast<std::uint64_t>(at[k]);
      const auto last = static_cast<std::uint64_t>(*(at + k - components));
      const auto one_before = static_cast<std::uint64_t>(*(at + k - 2 * components));
      any[0][k] |= folded(here);
      any[1][k] |= folded(here - last);
      any[2][k] |= folded(here - last - (last - one_before));
    }
  }
  for (std::size_t p = 0; p < predictors; ++p) {
    for (std::size_t k = 0; k < components; ++k) {
      widths[p][k] += static_cast<unsigned>(std::bit_width(any[p][k]));
    }
  }
}

// Bits of a value at the end of a stretch, each component with the predictor that suits it.
double bits_with(Stretch q, std::size_t components) {
  const std::size_t room = std::min(q.size(), components_window) - 2 * components;
  const std::size_t blocks = room / (block_values * components);
  const std::int64_t* at = q.data() + q.size() - blocks * block_values * components;
  Widths widths{};
  for (std::size_t b = 0; b < blocks; ++b, at += block_values * components) {
    add_blocks(at, components, widths);
  }
  unsigned bits = 0;
  for (std::size_t k = 0; k < components; ++k) {
    bits += std::min({widths[0][k], widths[1][k], widths[2][k]});
  }
  return static_cast<double>(bits) / static_cast<double>(blocks * components);
}

double mean_bits_with(std::span<const Stretch> stretches, std::size_t components) {
  double bits = 0;
  for (const Stretch& stretch : stretches) bits += bits_with(stretch, components);
  return bits / static_cast<double>(stretches.size());
}

}  // namespace

std::uint32_t find_components(std::span<const Stretch> stretches) noexcept {
  std::size_t shortest = components_window;
  for (const Stretch& stretch : stretches) shortest = std::min(shortest, stretch.size());
  const std::size_t most = std::min(most_components, shortest / stretch_for_components(1));
  if (stretches.empty() || most < 2) return 1;
  double least = mean_bits_with(stretches, 1);
  std::size_t best = 1;
  for (std::size_t components = 2; components <= most; ++components) {
    const double bits = mean_bits_with(stretches, components);
    if (bits >= least * better_part) continue;
    least = bits;
    best = components;
  }
  return static_cast<std::uint32_t>(best);
}

std::uint32_t find_components(ElementType type, std::span<const std::byte> values) noexcept {
  constexpr std::size_t most_stretches = 4;
  constexpr std::size_t apart = 4096;
  const std::size_t count = values.size() / element_size(type);
  const std::size_t size = std::min(count, components_window);
  const std::size_t wanted = std::clamp<std::size_t>(count / apart, 1, most_stretches);
  std::array<std::array<std::int64_t, components_window>, most_stretches> integers;
  std::array<Stretch, most_stretches> stretches;
  with_ordered_integers(type, values, [&](const auto& ordered) {
    for (std::size_t s = 0; s < wanted; ++s) {
      const std::size_t first = (2 * s + 1) * (count - size) / (2 * wanted);
      for (std::size_t i = 0; i < size; ++i) {
        static_cast<void>(ordered.get(first + i, integers[s][i]));
      }
      stretches[s] = {integers[s].data(), size};
    }
  });
  return find_components({stretches.data(), wanted});
}

}  // namespace tightwire::codec
