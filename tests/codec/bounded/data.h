// Data that is hard on an error-bounded codec, made from a seed.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace tightwire::codec {

enum class Shape {
  smooth,
  noise,
  rows,
  any_bits,
  ties,
  sparse,
  specials,
  mixed_scales,
  plane,
  subnormals,
  tails,
  far,
  filled,
  last
};

template <class T>
T any_bits(std::mt19937_64& random) {
  using U = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<T>(static_cast<U>(random()));
}

template <class T>
T special(std::mt19937_64& random) {
  using Limits = std::numeric_limits<T>;
  switch (random() % 8) {
    case 0:
      return -T{0};
    case 1:
      return Limits::infinity();
    case 2:
      return -Limits::infinity();
    case 3:
      return Limits::denorm_min() * static_cast<T>(random() % 100);
    case 4:
      return Limits::max();
    case 5:
      return -Limits::min();
    case 6:
      return any_bits<T>(random);
    default:
      return Limits::quiet_NaN();
  }
}

template <class T>
T subnormal(std::mt19937_64& random) {
  const T size = std::ldexp(T(unsigned(random() % (1 << 20))), static_cast<int>(random() % 4)) *
                 std::numeric_limits<T>::denorm_min();
  return random() % 2 == 0 ? size : -size;
}

template <class T>
std::vector<T> make_data(Shape shape, std::size_t count, double error_bound, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<T> values(count);
  const double amplitude = error_bound * std::exp2(20 * std::abs(unit(random)));
  for (std::size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(i);
    double value = 0;
    switch (shape) {
      case Shape::smooth:
        value = amplitude * std::sin(x * 0.01);
        break;
      case Shape::noise:
        value = amplitude * unit(random);
        break;
      case Shape::rows:
        value =
            amplitude * (std::sin(x * 0.3) + 0.1 * std::cos(x / 100 * 0.05) + 1e-3 * unit(random));
        break;
      case Shape::any_bits:
        values[i] = any_bits<T>(random);
        continue;
      case Shape::ties:  // around the middle between two points of the grid
        value = error_bound * (std::floor(unit(random) * 3000) + unit(random) * 1e-6);
        break;
      case Shape::sparse:
        value = random() % 1000 == 0 ? amplitude * unit(random) : 0;
        break;
      case Shape::specials:
        values[i] =
            random() % 40 == 0 ? special<T>(random) : static_cast<T>(amplitude * unit(random));
        continue;
      case Shape::mixed_scales:
        value = error_bound * unit(random) * std::exp2(60 * std::abs(std::sin(x * 0.002)));
        break;
      case Shape::plane:  // curved along rows of 100 and across them
        value = 4096 * error_bound * std::sin(static_cast<double>(i % 100) * 0.05) *
                std::cos(static_cast<double>(i / 100) * 0.1);
        break;
      case Shape::subnormals:
        values[i] = random() % 4 == 0 ? T{0} : subnormal<T>(random);
        continue;
      case Shape::tails:  // from the bound through all magnitudes to zero and back
        value = error_bound * std::cos(x) *
                std::exp2(2 * std::numeric_limits<T>::min_exponent * std::abs(std::sin(x * 0.003)));
        break;
      case Shape::far:  // from zero, for its range
        value = (amplitude * 32) + amplitude * std::sin(x * 0.01) + error_bound * unit(random);
        break;
      case Shape::filled:  // with a value that the grid does not hold, or two
        value = std::sin(x * 0.07) + std::sin(x * 0.003) > 0.6
                    ? (i % 4000 < 2000 ? 1e30 : std::numeric_limits<double>::quiet_NaN())
                    : amplitude * std::cos(x * 0.01);
        break;
      case Shape::last:
        break;
    }
    values[i] = static_cast<T>(value);
  }
  return values;
}

}  // namespace tightwire::codec
