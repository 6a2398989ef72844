// One value at a time: what the blocks of every instruction set must agree with.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "codec/bounded/grid.h"
#include "codec/error_bound.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

using bounded::Grid;
using bounded::Lane;

template <class T>
T load(const void* in) {
  T value;
  std::memcpy(&value, in, sizeof value);
  return value;
}

template <class T>
void store(T value, void* out) {
  std::memcpy(out, &value, sizeof value);
}

template <class U>
U fold_sign(U residual) {
  return static_cast<U>((residual << 1) ^ (U{0} - (residual >> (sizeof(U) * 8 - 1))));
}

template <class U>
U unfold_sign(U folded) {
  return static_cast<U>((folded >> 1) ^ (U{0} - (folded & 1)));
}

// The bits of a floating-point number as an integer in the order of the numbers; its own inverse.
template <class Int>
Int ordered(Int bits) {
  using U = std::make_unsigned_t<Int>;
  return static_cast<Int>(bits ^
                          static_cast<Int>(static_cast<U>(bits >> (sizeof(Int) * 8 - 1)) >> 1));
}

// 1.5 * 2^mantissa: adding it leaves the nearest integer (ties to even) in the low bits.
template <class T>
inline constexpr T rounder = sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52);

// So that numbers near zero are small integers, and negative zero is 1.
template <class T>
typename Lane<T>::Unsigned sign_to_lowest(T value) {
  return std::rotl(std::bit_cast<typename Lane<T>::Unsigned>(value), 1);
}

// False if the grid cannot hold the value; then q is not changed.
template <class T>
bool quantise_one(T value, const Grid<T>& grid, typename Lane<T>::Int& q) {
  using Int = typename Lane<T>::Int;
  if (is_too_small(value, grid) || !grid.usable) return false;
  const T scaled = (value - grid.origin) * grid.inverse;
  if (!grid.wide_encode && std::abs(scaled) <= static_cast<T>(grid.fast_limit)) {
    q = std::bit_cast<Int>(scaled + rounder<T>) - std::bit_cast<Int>(rounder<T>);
    return true;
  }
  const double wide =
      (static_cast<double>(value) - static_cast<double>(grid.origin)) * grid.wide_inverse;
  if (!(std::abs(wide) <= static_cast<double>(grid.limit))) return false;
  q = static_cast<Int>(std::bit_cast<std::int64_t>(wide + rounder<double>) -
                       std::bit_cast<std::int64_t>(rounder<double>));
  return true;
}

inline float dequantise_one(std::int32_t q, const Grid<float>& grid) {
  if (!grid.wide_decode) return static_cast<float>(q) * grid.step + grid.origin;
  return static_cast<float>(static_cast<double>(q) * static_cast<double>(grid.step));
}

// Integers of valid encodings lie within 2^51; others give some value, the same on every machine.
inline double dequantise_one(std::int64_t q, const Grid<double>& grid) {
  const auto bits = static_cast<std::uint64_t>(q) + std::bit_cast<std::uint64_t>(rounder<double>);
  return (std::bit_cast<double>(bits) - rounder<double>)*grid.step + grid.origin;
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
