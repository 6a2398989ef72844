// The quantisation grid of `bounded`: multiples of one step, fixed by (error bound, type, terms).
//
// Why results are strict is proved in docs/dev/format.md, "The grid". All arithmetic assumes
// rounding to nearest and no contraction.
#pragma once

#include <cstdint>

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
  bool tiny_exact = true;    // -0 and subnormals are not for the grid
  bool wide_decode = false;  // float32: integers may exceed 2^24, multiply in double
  T step = 0;
  T inverse = 0;            // 1 / step, rounded
  double wide_inverse = 0;  // the same in double, for integers beyond fast_limit
  Int fast_limit = 0;       // largest |integer| that a product in T is accurate enough for
  Int limit = 0;            // largest |integer| that one encoding holds
  Int sum_limit = 0;        // terms * limit: no sum of `terms` encodings exceeds it

  // Smaller values are the integer 0 on every grid.
  static constexpr T negligible = sizeof(T) == 4 ? T(0x1p-101) : T(0x1p-901);
};

// `error_bound` is finite and > 0; terms > 0.
template <class T>
[[nodiscard]] Grid<T> make_grid(double error_bound, std::uint32_t terms);

extern template Grid<float> make_grid<float>(double, std::uint32_t);
extern template Grid<double> make_grid<double>(double, std::uint32_t);

}  // namespace tightwire::codec::bounded
