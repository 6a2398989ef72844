// Values that are hard on an error-bounded codec with this bound, or that it is made for.
#pragma once

#include <array>
#include <bit>
#include <limits>
#include <span>

#include "codec/error_bound.h"
#include "random.h"

namespace tightwire::soak {

template <class T>
T any_bits(Random& random) {
  return std::bit_cast<T>(static_cast<codec::BitsOf<T>>(random.bits()));
}

template <class T>
T neighbour(T value, Random& random) {
  const auto steps = static_cast<int>(random.below(5)) - 2;
  const T towards =
      steps < 0 ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
  for (int i = 0; i < std::abs(steps); ++i) value = std::nextafter(value, towards);
  return value;
}

template <class T>
T nan_with(std::uint64_t payload) {
  using Bits = codec::BitsOf<T>;
  constexpr auto fraction = (Bits{1} << (std::numeric_limits<T>::digits - 1)) - 1;
  const auto infinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  return std::bit_cast<T>(
      static_cast<Bits>(infinity | 1 | (static_cast<Bits>(payload) & fraction)));
}

template <class T>
T special(Random& random) {
  using Limits = std::numeric_limits<T>;
  const std::array values{Limits::quiet_NaN(),
                          Limits::signaling_NaN(),
                          Limits::infinity(),
                          -Limits::infinity(),
                          T{-0.0},
                          T{0},
                          Limits::denorm_min(),
                          -Limits::denorm_min(),
                          Limits::min(),
                          Limits::max(),
                          Limits::lowest(),
                          Limits::epsilon(),
                          nan_with<T>(random.bits())};
  return values[random.below(values.size())];
}

// Any bit pattern: all exponents, NaNs with payloads, subnormals.
template <class T>
void fill_bits(std::span<T> values, double, Random& random) {
  for (T& value : values) value = any_bits<T>(random);
}

// A walk of steps about the bound's size: what prediction is made for.
template <class T>
void fill_walk(std::span<T> values, double bound, Random& random) {
  const double step = bound * std::exp2(random.between(-3, 8));
  double place = step * random.between(-1e4, 1e4);
  for (T& value : values) value = static_cast<T>(place += step * (random.fraction() - 0.5));
}

// Multiples of the bound, odd ones being midway between two grid points, and their neighbours.
template <class T>
void fill_edges(std::span<T> values, double bound, Random& random) {
  const double reach = std::exp2(random.between(1, 40));
  for (T& value : values) {
    const double multiple = std::round(random.between(-reach, reach));
    value = neighbour(static_cast<T>(multiple * bound), random);
  }
}

// Magnitudes about a power of two of the bound, where some quantiser reaches its end.
template <class T>
void fill_limits(std::span<T> values, double bound, Random& random) {
  const double limit = std::ldexp(bound, static_cast<int>(random.below(70)));
  for (T& value : values) {
    const double sign = random.bits() % 2 == 0 ? 1 : -1;
    value = neighbour(static_cast<T>(sign * limit * random.between(0.999, 1.001)), random);
  }
}

// Log-normal: mostly small, some huge.
template <class T>
void fill_heavy_tails(std::span<T> values, double bound, Random& random) {
  const double width = random.between(0.1, 8);
  const double scale = bound * std::exp2(random.between(-4, 12));
  for (T& value : values) {
    const double sign = random.bits() % 2 == 0 ? 1 : -1;
    value = static_cast<T>(sign * scale * std::exp(width * random.bell()));
  }
}

// Long constant runs, broken by single values.
template <class T>
void fill_runs(std::span<T> values, double bound, Random& random) {
  auto level = static_cast<T>(bound * random.between(-1e3, 1e3));
  const std::uint64_t rarity = 1 + random.below(2000);
  for (T& value : values) {
    if (random.below(rarity) == 0) level = static_cast<T>(bound * random.between(-1e3, 1e3));
    value = random.below(4 * rarity) == 0 ? any_bits<T>(random) : level;
  }
}

// Smooth along both directions of a grid of 64 columns, with special values strewn in.
template <class T>
void fill_rows(std::span<T> values, double bound, Random& random) {
  const double height = bound * std::exp2(random.between(0, 16));
  const double along = random.between(0.001, 0.3);
  const double down = random.between(0.001, 0.3);
  const std::uint64_t rarity = 20 + random.below(5000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto column = static_cast<double>(i % 64);
    const auto row = static_cast<double>(i / 64);
    values[i] = random.below(rarity) == 0
                    ? special<T>(random)
                    : static_cast<T>(height * std::sin(along * column) * std::cos(down * row));
  }
}

// Over all magnitudes, and now and then a power of two, with which products are exact.
template <class T>
double any_bound(Random& random) {
  const double reach = sizeof(T) == 4 ? 38 : 290;
  const double bound = random.below(3) == 0
                           ? std::exp2(std::round(random.between(-3.3 * reach, 3.3 * reach)))
                           : std::pow(10, random.below(2) == 0 ? random.between(-8, 3)
                                                               : random.between(-reach, reach));
  return bound;
}

}  // namespace tightwire::soak
