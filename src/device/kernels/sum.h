// The sum of two values of which at least one is not on the grid, bit by bit as
// codec/simd/generic/combine_tile.h has it.
#pragma once

#include <limits>

#include "device/kernels/scalar.h"

namespace tightwire::device {

// An operand: an integer of the grid, or a value that is kept as it is.
template <class T>
struct Operand {
  Int<T> q;
  T value;
  bool kept;
};

// False if the sum is beyond the grid.
template <class T>
TIGHTWIRE_KERNEL bool add_integers(Int<T> a, Int<T> b, Int<T> limit, Int<T>& sum) {
  sum = static_cast<Int<T>>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
  const bool overflow = ((a ^ sum) & (b ^ sum)) < 0;
  return !overflow && sum <= limit && sum >= -limit;
}

// One of those that are NaN, made quiet: the one with the larger bits, whichever comes first.
template <class T>
TIGHTWIRE_KERNEL T nan_of(T a, T b) {
  const auto quiet = bits_as<Unsigned<T>>(std::numeric_limits<T>::quiet_NaN());
  const Unsigned<T> bits_a = a != a ? bits_as<Unsigned<T>>(a) | quiet : 0;
  const Unsigned<T> bits_b = b != b ? bits_as<Unsigned<T>>(b) | quiet : 0;
  return bits_as<T>(bits_a > bits_b ? bits_a : bits_b);
}

template <class T>
TIGHTWIRE_KERNEL T add_values(T a, T b) {
  if (a != a || b != b) return nan_of(a, b);
  const T sum = a + b;
  return sum != sum ? std::numeric_limits<T>::quiet_NaN() : sum;
}

template <class T>
TIGHTWIRE_KERNEL bool is_negligible(const Operand<T>& operand) {
  constexpr T limit = Grid<T>::negligible;
  return operand.kept && magnitude(operand.value) < limit;
}

template <class T>
TIGHTWIRE_KERNEL T value_of(const Operand<T>& operand, const Grid<T>& grid) {
  return operand.kept ? operand.value : dequantise(operand.q, grid);
}

template <class T>
TIGHTWIRE_KERNEL Operand<T> add_operands(const Operand<T>& a, const Operand<T>& b,
                                         const Grid<T>& grid) {
  Int<T> sum = 0;
  if (!a.kept && !b.kept && add_integers<T>(a.q, b.q, grid.sum_limit, sum)) return {sum, 0, false};
  if (!b.kept && is_negligible(a)) return {b.q, 0, false};
  if (!a.kept && is_negligible(b)) return {a.q, 0, false};
  return {0, add_values(value_of(a, grid), value_of(b, grid)), true};
}

}  // namespace tightwire::device
