// Fields over a part of their grid: turbulence at sea, and a fill value, of which programs have
// many, on the 36 % that is land. Coasts are a level line of a smooth sum of waves.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "fields/kinds.h"

namespace tightwire::fields {
namespace {

constexpr double land = 0.36;

struct Wave {
  double along, down, phase, height;
};

std::vector<Wave> random_waves() {
  std::mt19937_64 random(1492);
  std::uniform_real_distribution<double> phase(0, 2 * std::numbers::pi);
  std::vector<Wave> waves(40);
  for (Wave& wave : waves) {
    const double along = static_cast<double>(random() % 40) - 20;
    const double down = static_cast<double>(random() % 40) - 20;
    wave = {along, down, phase(random), 1 / (1 + std::hypot(along, down))};
  }
  return waves;
}

std::vector<float> heights(std::size_t rows, std::size_t columns) {
  std::vector<float> result(rows * columns);
  for (const Wave& wave : random_waves()) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double down = wave.phase + 2 * std::numbers::pi * wave.down * static_cast<double>(i) /
                                           static_cast<double>(rows);
      const double step = 2 * std::numbers::pi * wave.along / static_cast<double>(columns);
      for (std::size_t j = 0; j < columns; ++j) {
        result[i * columns + j] +=
            static_cast<float>(wave.height * std::cos(down + step * static_cast<double>(j)));
      }
    }
  }
  return result;
}

float sea_level(std::vector<float> heights) {
  const auto place = heights.begin() +
                     static_cast<std::ptrdiff_t>((1 - land) * static_cast<double>(heights.size()));
  std::ranges::nth_element(heights, place);
  return *place;
}

Field masked(std::string name, std::size_t bytes, float fill) {
  const auto [rows, columns] = grid_of(bytes / sizeof(float));
  std::vector<float> values = turbulent_velocity(rows, columns, 0);
  const std::vector<float> ground = heights(rows, columns);
  const float level = sea_level(ground);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (ground[i] > level) values[i] = fill;
  }
  return field_of(std::move(name), {rows, columns}, values);
}

}  // namespace

Field masked_nan(std::size_t bytes) {
  return masked("masked_nan", bytes, std::numeric_limits<float>::quiet_NaN());
}

Field masked_1e20(std::size_t bytes) {
  return masked("masked_1e20", bytes, 1e20F);
}

Field masked_minus_9999(std::size_t bytes) {
  return masked("masked_-9999", bytes, -9999);
}

}  // namespace tightwire::fields
