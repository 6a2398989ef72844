// Surface temperature in kelvin: a zonal mean with warm and cold anomalies, advected by travelling
// planetary waves and mixed by diffusion. First-order upwind in double precision on a grid of
// latitudes and longitudes, which is periodic in longitude.
#include <cmath>
#include <numbers>
#include <random>

#include "fields/kinds.h"

namespace tightwire::fields {
namespace {

constexpr int steps = 120;
constexpr double diffusion = 0.1;  // cells squared a step

class Atmosphere {
 public:
  Atmosphere(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), now_(rows * columns), winds_(winds(columns)) {
    std::mt19937_64 random(1979);
    std::normal_distribution<double> normal;
    for (Wave& wave : waves_) {
      wave = {1.0 + static_cast<double>(random() % 12), 1.0 + static_cast<double>(random() % 12),
              normal(random), 2 * std::numbers::pi * std::generate_canonical<double, 53>(random)};
    }
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) now_[i * columns + j] = initial(i, j);
    }
    next_ = now_;  // the poles keep their temperature
  }

  void step() {
    for (std::size_t i = 1; i + 1 < rows_; ++i) {
      for (std::size_t j = 0; j < columns_; ++j) next_[i * columns_ + j] = advanced(i, j);
    }
    std::swap(now_, next_);
  }

  [[nodiscard]] const std::vector<double>& temperature() const { return now_; }

 private:
  struct Wave {
    double along, across, strength, phase;
  };

  double latitude(std::size_t i) const {
    return std::numbers::pi * (static_cast<double>(i) / static_cast<double>(rows_) - 0.5);
  }
  double longitude(std::size_t j) const {
    return 2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(columns_);
  }

  double initial(std::size_t i, std::size_t j) const {
    const double cosine = std::cos(latitude(i));
    double value = 233 + 67 * cosine * cosine;
    for (const Wave& wave : waves_) {
      value += wave.strength / wave.along * cosine *
               std::cos(wave.along * longitude(j) + wave.across * latitude(i) + wave.phase);
    }
    return value;
  }

  double advanced(std::size_t i, std::size_t j) const {
    const double* const row = now_.data() + i * columns_;
    const double here = row[j];
    const double west = row[j == 0 ? columns_ - 1 : j - 1];
    const double east = row[j + 1 == columns_ ? 0 : j + 1];
    const double south = *(row + j - columns_);
    const double north = row[j + columns_];
    const auto [eastward, northward] = winds_[j];
    const double along = eastward * (here - west);
    const double across = northward > 0 ? northward * (here - south) : northward * (north - here);
    return here - along - across + diffusion * (west + east + south + north - 4 * here);
  }

  // Three troughs and ridges around the globe.
  static std::vector<std::array<double, 2>> winds(std::size_t columns) {
    std::vector<std::array<double, 2>> result(columns);
    for (std::size_t j = 0; j < columns; ++j) {
      const double angle =
          6 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(columns);
      result[j] = {0.3 + 0.05 * std::cos(angle), 0.1 * std::sin(angle)};
    }
    return result;
  }

  std::size_t rows_;
  std::size_t columns_;
  std::vector<double> now_;
  std::vector<double> next_;
  std::array<Wave, 40> waves_{};
  std::vector<std::array<double, 2>> winds_;
};

}  // namespace

Field climate(std::size_t bytes) {
  const auto [rows, columns] = grid_of(bytes / sizeof(double));
  Atmosphere atmosphere(rows, columns);
  for (int i = 0; i < steps; ++i) atmosphere.step();
  return field_of("climate", {rows, columns}, atmosphere.temperature());
}

}  // namespace tightwire::fields
