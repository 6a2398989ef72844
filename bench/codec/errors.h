// How far decoded values are from the original ones.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "codec/codec.h"

namespace tightwire::bench {

inline constexpr std::size_t error_bins = 80;  // from -1 to 1 times the bound

struct Errors {
  double largest_over_bound = 0;    // infinite if NaN or an infinity changed
  double root_of_mean_squares = 0;  // of the finite values
  // Of error / bound; what lies outside is in the last bins.
  std::array<std::size_t, error_bins> histogram{};
};

// Of float32 or float64. `bound` is absolute.
[[nodiscard]] Errors errors_of(codec::ElementType type, std::span<const std::byte> original,
                               std::span<const std::byte> decoded, double bound);

[[nodiscard]] double begin_of_error_bin(std::size_t bin);

}  // namespace tightwire::bench
