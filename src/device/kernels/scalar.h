// One value at a time, bit by bit as codec/simd/generic/scalar.h has it, which a GPU cannot call.
// Compiled without contraction and without flushing to zero.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "device/kernels/memory.h"

namespace tightwire::device {

using codec::bounded::Grid;

template <class To, class From>
TIGHTWIRE_KERNEL To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

template <class U>
TIGHTWIRE_KERNEL U fold_sign(U residual) {
  const auto sign = static_cast<std::make_signed_t<U>>(residual) >> (sizeof(U) * 8 - 1);
  return static_cast<U>((residual << 1) ^ static_cast<U>(sign));
}
// Has as many bits as fold_sign(residual), and costs less.
template <class U>
TIGHTWIRE_KERNEL U as_wide_as_folded(U residual) {
  return static_cast<U>(residual ^ (residual << 1));
}
template <class U>
TIGHTWIRE_KERNEL U unfold_sign(U folded) {
  return static_cast<U>((folded >> 1) ^ (U{0} - (folded & 1)));
}

TIGHTWIRE_KERNEL unsigned bit_width(std::uint32_t value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return 32u - static_cast<unsigned>(__clz(static_cast<int>(value)));
#else
  return static_cast<unsigned>(std::bit_width(value));
#endif
}
TIGHTWIRE_KERNEL unsigned bit_width(std::uint64_t value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return 64u - static_cast<unsigned>(__clzll(static_cast<long long>(value)));
#else
  return static_cast<unsigned>(std::bit_width(value));
#endif
}
TIGHTWIRE_KERNEL unsigned ones_in(std::uint64_t bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return static_cast<unsigned>(__popcll(bits));
#else
  return static_cast<unsigned>(std::popcount(bits));
#endif
}

TIGHTWIRE_KERNEL float rounder_of(float) {
  return 0x1.8p23f;
}
TIGHTWIRE_KERNEL double rounder_of(double) {
  return 0x1.8p52;
}

template <class T>
TIGHTWIRE_KERNEL T magnitude(T value) {
  return std::fabs(value);
}

// False if the grid cannot hold the value; then q is not changed.
template <class T>
TIGHTWIRE_KERNEL bool quantise(T value, const Grid<T>& grid, Int<T>& q) {
  const bool too_small = bits_as<Unsigned<T>>(value) != 0 && magnitude(value) < grid.exact_below;
  if (too_small || !grid.usable) return false;
  const T scaled = (value - grid.origin) * grid.inverse;
  if (!grid.wide_encode && magnitude(scaled) <= static_cast<T>(grid.fast_limit)) {
    const T rounder = rounder_of(value);
    q = static_cast<Int<T>>(bits_as<Unsigned<T>>(scaled + rounder) - bits_as<Unsigned<T>>(rounder));
    return true;
  }
  const double wide =
      (static_cast<double>(value) - static_cast<double>(grid.origin)) * grid.wide_inverse;
  if (!(magnitude(wide) <= static_cast<double>(grid.limit))) return false;
  const double rounder = rounder_of(wide);
  q = static_cast<Int<T>>(bits_as<std::uint64_t>(wide + rounder) - bits_as<std::uint64_t>(rounder));
  return true;
}

TIGHTWIRE_KERNEL float dequantise(std::int32_t q, const Grid<float>& grid) {
  if (!grid.wide_decode) return static_cast<float>(q) * grid.step + grid.origin;
  return static_cast<float>(static_cast<double>(q) * static_cast<double>(grid.step));
}
TIGHTWIRE_KERNEL double dequantise(std::int64_t q, const Grid<double>& grid) {
  const double rounder = rounder_of(0.0);
  const std::uint64_t bits = static_cast<std::uint64_t>(q) + bits_as<std::uint64_t>(rounder);
  return (bits_as<double>(bits) - rounder) * grid.step + grid.origin;
}

// A kept value as it stands in an encoding, where the sign is the lowest bit.
template <class T>
TIGHTWIRE_KERNEL Unsigned<T> sign_to_lowest(T value) {
  const auto bits = bits_as<Unsigned<T>>(value);
  return static_cast<Unsigned<T>>(bits << 1 | bits >> (sizeof(T) * 8 - 1));
}
template <class T>
TIGHTWIRE_KERNEL T sign_from_lowest(Unsigned<T> bits) {
  return bits_as<T>(static_cast<Unsigned<T>>(bits >> 1 | bits << (sizeof(T) * 8 - 1)));
}

}  // namespace tightwire::device
