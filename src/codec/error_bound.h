// What it means for a decoded value to be within the error bound, in exact arithmetic.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tightwire::codec {

template <std::floating_point T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

// Negative zero, or a number below the normal ones.
template <std::floating_point T>
[[nodiscard]] constexpr bool negative_zero_or_subnormal(T value) {
  using Bits = BitsOf<T>;
  constexpr Bits least_normal = std::bit_cast<Bits>(std::numeric_limits<T>::min());
  // With the sign as the lowest bit, these are 1 and 2 to twice the least normal number less 1.
  return std::rotl(std::bit_cast<Bits>(value), 1) - 1 < 2 * least_normal - 1;
}

// NaN, infinity, negative zero or subnormal: reproduced bit for bit whatever the bound.
template <std::floating_point T>
[[nodiscard]] constexpr bool must_be_exact(T value) {
  using Bits = BitsOf<T>;
  constexpr Bits exponent = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  return (std::bit_cast<Bits>(value) & exponent) == exponent || negative_zero_or_subnormal(value);
}

// Whether |original - decoded| <= bound as real numbers: the rounding of the subtraction counts.
template <std::floating_point T>
[[nodiscard]] constexpr bool within_bound(T original, T decoded, double bound) {
  const double x = original;
  const double y = decoded;
  const double difference = x - y;
  // Rounding is monotonic, so only a difference that rounds to the bound itself is in doubt.
  if (std::abs(difference) != bound) return std::abs(difference) < bound;
  // Knuth's TwoSum: difference + remainder == x - y exactly.
  const double t = difference - x;
  const double remainder = (x - (difference - t)) - (y + t);
  return difference > 0 ? remainder <= 0 : remainder >= 0;
}

// The whole promise of a lossy codec for one value. False if anything about it is not a number.
template <std::floating_point T>
[[nodiscard]] constexpr bool honours_bound(T original, T decoded, double bound) {
  if (must_be_exact(original)) {
    return std::bit_cast<BitsOf<T>>(original) == std::bit_cast<BitsOf<T>>(decoded);
  }
  return within_bound(original, decoded, bound);
}

}  // namespace tightwire::codec
