#include "calibrate/collectives/field.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace tightwire::calibrate {
namespace {

constexpr std::size_t row_length = 1024;
constexpr double noise_amplitude = 0.01;

// Waves per row and per column, and share of the amplitude: k^(-5/3), as energy falls in nature.
struct Wave {
  double across;
  double down;
  double amplitude;
};
constexpr Wave waves[] = {{1, 2, 0.566},  {-2, 1, 0.178},   {3, 3, 0.0906},    {5, -4, 0.0387},
                          {8, 7, 0.0177}, {-12, 11, 0.009}, {19, -16, 0.0042}, {29, 25, 0.0021}};

// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

// Uniform in 0 to 1.
double uniform(std::uint64_t seed) {
  return static_cast<double>(scrambled(seed) >> 11) * 0x1p-53;
}

void add_wave(const Wave& wave, double phase, std::size_t row, double* values, std::size_t count) {
  const double radian = 2 * std::numbers::pi / static_cast<double>(row_length);
  const double start = phase + radian * wave.down * static_cast<double>(row);
  std::complex<double> point = std::polar(wave.amplitude, start);
  const std::complex<double> turn = std::polar(1.0, radian * wave.across);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] += point.imag();
    point = {point.real() * turn.real() - point.imag() * turn.imag(),
             point.real() * turn.imag() + point.imag() * turn.real()};
  }
}

}  // namespace

std::string_view name_of(Data data) {
  return data == Data::smooth ? "smooth" : "noisy";
}

std::vector<float> make_field(Data data, std::size_t count, int rank) {
  const auto seed = static_cast<std::uint64_t>(rank + 1) << 40;
  std::vector<float> field(count);
  double row_values[row_length];
  for (std::size_t begin = 0; begin < count; begin += row_length) {
    const std::size_t length = std::min(row_length, count - begin);
    std::fill_n(row_values, length, 0.0);
    std::uint64_t index = 0;
    for (const Wave& wave : waves) {
      const double phase = 2 * std::numbers::pi * uniform(~seed - index++);
      add_wave(wave, phase, begin / row_length, row_values, length);
    }
    for (std::size_t i = 0; i < length; ++i) {
      const double noise = data == Data::noisy ? 2 * uniform(seed + begin + i) - 1 : 0;
      field[begin + i] = static_cast<float>(row_values[i] + noise_amplitude * noise);
    }
  }
  return field;
}

}  // namespace tightwire::calibrate
