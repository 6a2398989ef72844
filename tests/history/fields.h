// Messages of a simulation, for tests.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

namespace tightwire::history {

inline constexpr std::size_t field_values = 4096;

// Smooth in time, rough in space; `field` tells several apart.
[[nodiscard]] inline std::vector<double> field_at(double time, int field = 0) {
  std::mt19937_64 random(static_cast<unsigned>(field));
  std::uniform_real_distribution<double> phase(0, 6);
  std::vector<double> values(field_values);
  for (double& value : values) value = 1.5 + std::sin(0.01 * time + phase(random));
  return values;
}

[[nodiscard]] inline std::vector<double> noise(unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(field_values);
  for (double& value : values) value = normal(random);
  return values;
}

[[nodiscard]] inline std::span<const std::byte> bytes_of(const std::vector<double>& values) {
  return std::as_bytes(std::span(values));
}

}  // namespace tightwire::history
