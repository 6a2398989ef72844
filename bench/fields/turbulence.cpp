// One component of the velocity of decaying isotropic turbulence, as a 2-D slice and as a 3-D box:
// random phases under the model spectrum of Pope, "Turbulent Flows" (2000), section 6.5.3, with its
// energy-containing range, k^(-5/3) inertial range and exponential dissipation range, which a
// resolved simulation shows and which makes the field smooth from one cell to the next.
#include <algorithm>
#include <cmath>
#include <complex>
#include <kissfft/kissfft.hh>
#include <numbers>
#include <random>

#include "fields/kinds.h"

namespace tightwire::fields {
namespace {

// Energy per wave number, up to a factor. `size` is the box's, in cells; k counts waves per box.
double energy(double k, double size) {
  if (k == 0) return 0;
  const double integral_scale = 0.25 / (2 * std::numbers::pi);  // of the box
  const double kolmogorov_scale = 0.57 / size;                  // 0.57 cells: well resolved
  const double kl = 2 * std::numbers::pi * k * integral_scale;
  const double eta = 2 * std::numbers::pi * k * kolmogorov_scale;
  const double large = std::pow(kl / std::sqrt(kl * kl + 6.78), 5.0 / 3 + 2);
  const double small =
      std::exp(-5.2 * (std::pow(std::pow(eta, 4) + std::pow(0.40, 4), 0.25) - 0.40));
  return std::pow(k, -5.0 / 3) * large * small;
}

// |k| of the i-th coefficient along an axis of n.
double wave_number(std::size_t i, std::size_t n) {
  return static_cast<double>(std::min(i, n - i));
}

using Waves = std::vector<std::complex<float>>;

Waves random_waves(std::size_t depth, std::size_t rows, std::size_t columns, unsigned seed) {
  const auto size = static_cast<double>(columns);
  const int dimensions = depth > 1 ? 3 : 2;
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  Waves waves(depth * rows * columns);
  auto wave = waves.begin();
  for (std::size_t z = 0; z < depth; ++z) {
    for (std::size_t y = 0; y < rows; ++y) {
      for (std::size_t x = 0; x < columns; ++x, ++wave) {
        // Cells are cubes, so that a shorter axis has its waves further apart.
        const double k = std::hypot(wave_number(z, depth) * size / static_cast<double>(depth),
                                    wave_number(y, rows) * size / static_cast<double>(rows),
                                    wave_number(x, columns));
        if (k == 0) continue;
        const double shell = std::pow(k, dimensions - 1);
        const auto amplitude = static_cast<float>(std::sqrt(energy(k, size) / shell));
        *wave = {amplitude * normal(random), amplitude * normal(random)};
      }
    }
  }
  return waves;
}

// Transforms every line of `length` values that lie `stride` apart.
void transform_axis(Waves& waves, std::size_t length, std::size_t stride) {
  if (length == 1) return;
  kissfft<float> transform(length, true);
  Waves line(length);
  Waves transformed(length);
  for (std::size_t block = 0; block < waves.size(); block += length * stride) {
    for (std::size_t offset = block; offset < block + stride; ++offset) {
      for (std::size_t i = 0; i < length; ++i) line[i] = waves[offset + i * stride];
      transform.transform(line.data(), transformed.data());
      for (std::size_t i = 0; i < length; ++i) waves[offset + i * stride] = transformed[i];
    }
  }
}

std::vector<float> synthesise(std::size_t depth, std::size_t rows, std::size_t columns,
                              unsigned seed) {
  Waves waves = random_waves(depth, rows, columns, seed);
  transform_axis(waves, columns, 1);
  transform_axis(waves, rows, columns);
  transform_axis(waves, depth, rows * columns);
  std::vector<float> velocity(waves.size());
  std::ranges::transform(waves, velocity.begin(), [](auto wave) { return wave.real(); });
  return velocity;
}

constexpr unsigned usual_seed = 2000;

}  // namespace

std::vector<float> turbulent_velocity(std::size_t rows, std::size_t columns, unsigned component) {
  return synthesise(1, rows, columns, usual_seed + component);
}

Field turbulence(std::size_t bytes) {
  const auto [rows, columns] = grid_of(bytes / sizeof(float));
  return field_of("turbulence", {rows, columns}, turbulent_velocity(rows, columns, 0));
}

Field turbulence_3d(std::size_t bytes) {
  const int bits = std::countr_zero(bytes / sizeof(float));
  const std::size_t depth = std::size_t{1} << (bits / 3);
  const std::size_t rows = std::size_t{1} << ((bits + 1) / 3);
  const std::size_t columns = std::size_t{1} << ((bits + 2) / 3);
  return field_of("turbulence_3d", {depth, rows, columns},
                  synthesise(depth, rows, columns, usual_seed));
}

}  // namespace tightwire::fields
