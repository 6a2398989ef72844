// Values that lossy codecs get wrong, for tests.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "codec/codec.h"
#include "codec/error_bound.h"

namespace tightwire::codec::testing {

template <class T>
constexpr ElementType type_of = sizeof(T) == 4 ? ElementType::float32 : ElementType::float64;

template <class T>
std::vector<T> smooth(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(std::sin(1e-3 * static_cast<double>(i)) + 2);
  }
  return values;
}

template <class T>
std::vector<T> noise(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(normal(random));
  return values;
}

// Any bit pattern: all exponents, NaNs, subnormals.
template <class T>
std::vector<T> random_bits(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (T& value : values) value = std::bit_cast<T>(static_cast<BitsOf<T>>(random()));
  return values;
}

// Smooth, with everything special strewn in.
template <class T>
std::vector<T> adversarial(std::size_t count, unsigned seed) {
  using Limits = std::numeric_limits<T>;
  using Bits = BitsOf<T>;
  const Bits quiet = std::bit_cast<Bits>(Limits::quiet_NaN());
  const std::vector<T> specials{std::bit_cast<T>(quiet | 0x1234),
                                std::bit_cast<T>(quiet | (Bits{1} << (8 * sizeof(T) - 1)) | 1),
                                Limits::signaling_NaN(),
                                Limits::infinity(),
                                -Limits::infinity(),
                                T{-0.0},
                                T{0},
                                Limits::denorm_min(),
                                -Limits::denorm_min(),
                                Limits::min() / 2,
                                Limits::min(),
                                Limits::max(),
                                Limits::lowest(),
                                static_cast<T>(1e30),
                                static_cast<T>(1e-30),
                                static_cast<T>(-1e30)};
  std::vector<T> values = smooth<T>(count);
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < count / 8; ++i) {
    values[random() % count] = specials[random() % specials.size()];
  }
  return values;
}

// All values equal to a grid point plus or minus about the bound, where rounding decides.
template <class T>
std::vector<T> on_the_edge(std::size_t count, double bound, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    const double grid = static_cast<double>(static_cast<long>(random() % 2001) - 1000);
    value = static_cast<T>(grid * bound);
    if (random() % 2 == 0) value = std::nextafter(value, std::numeric_limits<T>::infinity());
  }
  return values;
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

}  // namespace tightwire::codec::testing
