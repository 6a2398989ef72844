// How far decoded values are from the original ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/codec.h"

namespace tightwire::cli {

struct Quality {
  std::uint64_t finite = 0;   // values that the numbers below are about
  std::uint64_t special = 0;  // NaN and infinite
  std::uint64_t special_changed = 0;
  double smallest = 0;  // of the original
  double largest = 0;
  double largest_error = 0;
  double root_mean_square_error = 0;

  [[nodiscard]] double range() const { return largest - smallest; }
  // Root mean square error as a part of the range.
  [[nodiscard]] double nrmse() const;
  // Peak signal-to-noise ratio in decibels, the range being the peak; infinite if nothing differs.
  [[nodiscard]] double psnr() const;
};

// For floating-point types; both spans hold whole values, equally many.
[[nodiscard]] Quality compare(codec::ElementType type, std::span<const std::byte> original,
                              std::span<const std::byte> decoded);

// Errors (decoded - original) of finite values from -limit to limit, in equal bins; those beyond
// count in the first or last.
[[nodiscard]] std::vector<std::uint64_t> error_histogram(codec::ElementType type,
                                                         std::span<const std::byte> original,
                                                         std::span<const std::byte> decoded,
                                                         double limit, std::size_t bins);

}  // namespace tightwire::cli
