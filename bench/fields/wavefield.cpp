// Pressure of sound from point sources in layered ground: the acoustic wave equation, second order
// in time and fourth in space, with reflecting walls. Early, one source has just begun to be heard
// and nearly all is silence; late, waves fill the grid. A solver that flushes what is next to
// nothing to zero leaves silence at zero; another leaves subnormals ahead of the waves, and -0
// where nothing has been heard.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "fields/kinds.h"

namespace tightwire::fields {
namespace {

constexpr double courant = 0.5;        // in the fastest layer; 0.61 is the limit of stability
constexpr double steps_a_period = 40;  // of the source: some 20 cells a wavelength
constexpr float silence = 1e-30F;      // the least that a solver keeps that flushes to zero

class Grid {
 public:
  Grid(std::size_t rows, std::size_t columns, float least)
      : rows_(rows),
        columns_(columns),
        least_(least),
        now_(rows * columns),
        before_(rows * columns),
        speed_(layers(rows, columns)) {}

  void strike(std::size_t row, std::size_t column, float pressure) {
    now_[row * columns_ + column] += pressure;
  }

  void step() {
    for (std::size_t row = 2; row + 2 < rows_; ++row) step_row(row);
    std::swap(now_, before_);
  }

  std::vector<float> pressure() && {
    for (float& value : now_) {
      if (std::abs(value) < least_) value = 0;
    }
    return std::move(now_);
  }

 private:
  // The square of the Courant number of every cell: layers with wavy borders, faster below.
  static std::vector<float> layers(std::size_t rows, std::size_t columns) {
    std::vector<float> speed(rows * columns);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        const double across = static_cast<double>(column) / static_cast<double>(columns);
        const double down = static_cast<double>(row) / static_cast<double>(rows) +
                            0.03 * std::sin(4 * std::numbers::pi * across);
        const double layer = std::floor(6 * std::clamp(down, 0.0, 0.999));
        const double number = courant * (0.5 + 0.1 * layer);
        speed[row * columns + column] = static_cast<float>(number * number);
      }
    }
    return speed;
  }

  void step_row(std::size_t row) {
    const std::size_t width = columns_;
    const float least = least_;
    const float* const __restrict now = now_.data() + row * width;
    const float* const __restrict speed = speed_.data() + row * width;
    float* const __restrict next = before_.data() + row * width;
    for (std::size_t i = 2; i + 2 < width; ++i) {
      const float near = now[i - 1] + now[i + 1] + *(now + i - width) + now[i + width];
      const float far = now[i - 2] + now[i + 2] + *(now + i - 2 * width) + now[i + 2 * width];
      const float laplacian = (16.0F * near - far - 60.0F * now[i]) * (1.0F / 12.0F);
      const float value = -(next[i] - 2.0F * now[i] - speed[i] * laplacian);
      next[i] = std::abs(value) < least ? 0.0F : value;
    }
  }

  std::size_t rows_;
  std::size_t columns_;
  float least_;  // smaller values become zero
  std::vector<float> now_;
  std::vector<float> before_;
  std::vector<float> speed_;
};

// A Ricker wavelet, the usual seismic source.
float ricker(std::size_t step) {
  const double t = std::numbers::pi * (static_cast<double>(step) / steps_a_period - 1);
  return static_cast<float>((1 - 2 * t * t) * std::exp(-t * t));
}

Field simulate(std::string name, std::size_t bytes, std::size_t sources, std::size_t steps,
               float least) {
  const auto [rows, columns] = grid_of(bytes / sizeof(float));
  Grid grid(rows, columns, least);
  std::mt19937 random(7);
  std::vector<std::array<std::size_t, 2>> places(sources);
  for (auto& [row, column] : places) {
    row = rows / 4 + random() % (rows / 2);
    column = columns / 4 + random() % (columns / 2);
  }
  for (std::size_t i = 0; i < steps; ++i) {
    if (i < static_cast<std::size_t>(2 * steps_a_period)) {
      for (const auto& [row, column] : places) grid.strike(row, column, ricker(i));
    }
    grid.step();
  }
  return field_of(std::move(name), {rows, columns}, std::move(grid).pressure());
}

// Half of the grid has been reached by then.
Field half_heard(std::string name, std::size_t bytes) {
  const auto [rows, columns] = grid_of(bytes / sizeof(float));
  return simulate(std::move(name), bytes, 8, rows / 3, 0);
}

}  // namespace

Field quiet_wavefield(std::size_t bytes) {
  return simulate("quiet_wavefield", bytes, 1, 100, silence);
}

Field late_wavefield(std::size_t bytes) {
  const auto [rows, columns] = grid_of(bytes / sizeof(float));
  return simulate("late_wavefield", bytes, 64, rows / 2, silence);
}

Field leapfrog(std::size_t bytes) {
  return half_heard("leapfrog", bytes);
}

Field leapfrog_flushed(std::size_t bytes) {
  Field field = half_heard("leapfrog_flushed", bytes);
  for (float& value : field.mutable_values<float>()) {
    if (std::abs(value) < std::numeric_limits<float>::min()) value = 0;
  }
  return field;
}

}  // namespace tightwire::fields
