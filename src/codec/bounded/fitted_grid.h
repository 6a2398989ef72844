// The grid of an encoding that will be combined with no other: step and origin suit its values.
//
// Rounding of what is found and of what is decoded takes a part of the bound; it grows with the
// values, so that a grid made for those that there are has the widest step. See docs/dev/format.md,
// "The grid", for the proof, and "What writers do" for what is chosen.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "codec/bounded/grid.h"
#include "codec/bounded/layout.h"

namespace tightwire::codec::bounded {

struct Extent {
  double smallest = 0;
  double largest = 0;
};

// Finite values from all over an encoding.
class Sample {
 public:
  static constexpr std::size_t most = 64;
  template <class T>
  static Sample of(std::span<const std::byte> values);

  [[nodiscard]] std::span<const double> values() const { return {values_.data(), size_}; }
  [[nodiscard]] Extent extent() const;

 private:
  std::array<double, most> values_{};
  std::size_t size_ = 0;
};

// What a grid should hold.
struct Expected {
  Extent extent;
  double fill = std::numeric_limits<double>::quiet_NaN();  // or a value that it should not
};

// Leaves out an end that repeats far outside of the rest: a fill value, most likely, which costs
// next to nothing where the grid does not hold it.
[[nodiscard]] Expected expected_of(const Extent& all, const Sample& sample);

struct FittedGrid {
  bool usable = false;  // else the bound is too fine for the type, or for these values
  double step = 0;
  float origin = 0;
  GridUse use;
};

// The extent may be infinite, and then is found in the sample.
template <class T>
[[nodiscard]] FittedGrid fit_grid(double error_bound, const Extent& extent, const Sample& sample);

// The step is a power of two, at most 2 ^ largest_exponent, and the origin 0: so multiples of the
// step come back as they were.
template <class T>
[[nodiscard]] FittedGrid power_of_two_grid(double error_bound, int largest_exponent);

void put_into(Header& header, const FittedGrid& fitted);

}  // namespace tightwire::codec::bounded
