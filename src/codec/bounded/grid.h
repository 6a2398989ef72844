// The quantisation grid of `bounded`: multiples of one step, counted from an origin. Encodings that
// may be combined have one that follows from (error bound, type, terms), others the one that suits
// their values; see fitted_grid.h.
//
// Why results are strict is proved in docs/dev/format.md, "The grid". All arithmetic assumes
// rounding to nearest and no contraction.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "codec/codec.h"

namespace tightwire::codec::bounded {

template <class T>
struct Lane;
template <>
struct Lane<float> {
  using Int = std::int32_t;
  using Unsigned = std::uint32_t;
};
template <>
struct Lane<double> {
  using Int = std::int64_t;
  using Unsigned = std::uint64_t;
};

template <class T>
struct Grid {
  using Int = typename Lane<T>::Int;

  bool usable = false;       // false: the bound is too fine for T; every value is kept verbatim
  bool wide_decode = false;  // float32: integers may exceed 2^24, multiply in double
  bool wide_encode = false;  // float32: integers are too large to be found in float
  // What is smaller, but for +0, is not for the grid: -0 and subnormals, or more, or, if 0,
  // nothing.
  T exact_below = std::numeric_limits<T>::min();
  T step = 0;
  T origin = 0;             // the value of the integer 0; not 0 only where wide_decode is not
  T inverse = 0;            // 1 / step, rounded
  double wide_inverse = 0;  // the same in double, for integers beyond fast_limit
  Int fast_limit = 0;       // largest |integer| that blocks are made of at once: that a product in
                            // T is accurate enough for, and that is expected
  Int limit = 0;            // largest |integer| that one encoding holds
  Int sum_limit = 0;        // terms * limit: no sum of `terms` encodings exceeds it

  // Smaller values are the integer 0 on every grid.
  static constexpr T negligible = sizeof(T) == 4 ? T(0x1p-101) : T(0x1p-901);
};

template <class T>
[[nodiscard]] bool is_too_small(T value, const Grid<T>& grid) {
  return std::bit_cast<typename Lane<T>::Unsigned>(value) != 0 &&
         std::abs(value) < grid.exact_below;
}

// `error_bound` is finite and > 0; terms > 0.
template <class T>
[[nodiscard]] Grid<T> make_grid(double error_bound, std::uint32_t terms);

// With a step and an origin of its own, checked by valid_given_grid(). Limits are those that any
// reader can count on.
template <class T>
[[nodiscard]] Grid<T> given_grid(double step, float origin);

// Of the element type, neither too small nor too large.
[[nodiscard]] bool valid_given_grid(ElementType type, double step, float origin);

template <class T>
[[nodiscard]] T largest_not_above(double value);

template <class T>
struct Steps;
template <>
struct Steps<float> {
  static constexpr double smallest = 0x1p-100;
  static constexpr double largest = 0x1p100;
  static constexpr double most = 0x1p22;  // the largest integer that a step of its own allows
};
template <>
struct Steps<double> {
  static constexpr double smallest = 0x1p-900;
  static constexpr double largest = 0x1p900;
  static constexpr double most = 0x1p50;
};
inline constexpr float largest_origin = 0x1p100f;

extern template Grid<float> make_grid<float>(double, std::uint32_t);
extern template Grid<double> make_grid<double>(double, std::uint32_t);
extern template Grid<float> given_grid<float>(double, float);
extern template Grid<double> given_grid<double>(double, float);
extern template float largest_not_above<float>(double);
extern template double largest_not_above<double>(double);

}  // namespace tightwire::codec::bounded
