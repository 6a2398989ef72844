// What tells a field of measurements from records, in which lengths, types and integers stored in
// the bits of a floating-point number stand beside them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <limits>

#include "codec/error_bound.h"
#include "codec/fill/tails.h"

namespace tightwire::codec::bounded {

// How many numbers there are of each kind of small ones.
struct SmallNumbers {
  std::size_t low = 0;    // subnormals of less than half of their digits
  std::size_t high = 0;   // others
  std::size_t next = 0;   // normal numbers next to the subnormals
  std::size_t tiny = 0;   // these and others that are tiny
  std::size_t above = 0;  // that a field has on its way to tiny ones

  [[nodiscard]] std::size_t subnormals() const { return low + high; }
};

struct Survey {
  // Of all values but NaN; they may be infinite. The smallest is above the largest if there are
  // none.
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  Tails some;           // finite ones, from all over
  SmallNumbers small;   // zero is none
  bool whole = false;   // whole numbers other than zero, below all_whole_from
  bool broken = false;  // other numbers below it, but subnormals
  // There are more whole numbers of one binary exponent than chance makes, even if all values had
  // that one.
  bool on_purpose = false;
  // Whole numbers of each binary exponent, unless on_purpose.
  std::array<std::size_t, std::numeric_limits<double>::digits> whole_of{};
};

// Small are numbers below least_not_above. Subnormals of less than half of their digits are below
// `middle`.
template <class T>
inline constexpr T least_not_above = sizeof(T) == 4 ? T(0x1p-74) : T(0x1p-256);
template <class T>
inline constexpr T least_not_next = sizeof(T) == 4 ? T(0x1p-100) : T(0x1p-960);
template <class T>
inline constexpr T middle_of_subnormals =
    std::bit_cast<T>(BitsOf<T>{1} << ((std::numeric_limits<T>::digits - 1) / 2));

// Tiny are numbers below this: integers below 226 492 416 in the bits of float32, and below 2^61 in
// those of float64.
template <class T>
inline constexpr T least_not_tiny = sizeof(T) == 4 ? T(0x1p-100) : T(0x1p-511);

// From here on the type has no other numbers than whole ones.
template <class T>
inline constexpr T all_whole_from = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);

// Whether `whole` numbers of a binary exponent are more than chance makes among `numbers` of it: of
// those with n bits behind the binary point, one in 2^n has zeros there. Of few bits chance makes
// too many for that: there all must be whole. Given fewer numbers than there are, it holds as well.
template <class T>
constexpr bool is_on_purpose(std::size_t whole, std::size_t numbers, unsigned exponent) {
  constexpr double generous = 8;
  constexpr std::size_t sure = 32;  // bits, all zero
  const std::size_t bits = std::numeric_limits<T>::digits - 1 - exponent;
  const auto one_in = static_cast<double>(std::size_t{1} << bits);
  return static_cast<double>(whole) * one_in > generous * static_cast<double>(numbers) ||
         (whole >= numbers && whole * bits >= sure);
}

}  // namespace tightwire::codec::bounded
