// The generators behind fields.h; each file says what it simulates.
#pragma once

#include <array>
#include <bit>
#include <cstring>

#include "fields/fields.h"

namespace tightwire::fields {

Field quiet_wavefield(std::size_t bytes);
Field late_wavefield(std::size_t bytes);
Field turbulence(std::size_t bytes);
Field turbulence_3d(std::size_t bytes);
Field gradient(std::size_t bytes);
Field sorted_positions(std::size_t bytes);
Field unsorted_positions(std::size_t bytes);
Field climate(std::size_t bytes);
Field constant(std::size_t bytes);
Field white_noise(std::size_t bytes);

Field leapfrog(std::size_t bytes);
Field leapfrog_flushed(std::size_t bytes);
Field masked_nan(std::size_t bytes);
Field masked_1e20(std::size_t bytes);
Field masked_minus_9999(std::size_t bytes);
Field kelvin(std::size_t bytes);
Field interleaved(std::size_t bytes);
Field interleaved_apart(std::size_t bytes);
Field records(std::size_t bytes);
Field widened(std::size_t bytes);
Field image(std::size_t bytes);
Field counts(std::size_t bytes);
Field packed(std::size_t bytes);

// A component of the velocity in a slice of decaying turbulence, which others use too. Components
// are independent of each other; 0 is the one of turbulence().
[[nodiscard]] std::vector<float> turbulent_velocity(std::size_t rows, std::size_t columns,
                                                    unsigned component);

// Rows and columns of a grid of `count` points, a power of two; as square as can be, else wider.
[[nodiscard]] inline std::array<std::size_t, 2> grid_of(std::size_t count) {
  const int bits = std::countr_zero(count);
  return {std::size_t{1} << (bits / 2), std::size_t{1} << (bits - bits / 2)};
}

template <class T>
[[nodiscard]] Field field_of(std::string name, std::vector<std::size_t> shape,
                             const std::vector<T>& values) {
  Field field;
  field.name = std::move(name);
  field.type = sizeof(T) == 4 ? codec::ElementType::float32 : codec::ElementType::float64;
  field.shape = std::move(shape);
  field.bytes.resize(values.size() * sizeof(T));
  std::memcpy(field.bytes.data(), values.data(), field.bytes.size());
  return field;
}

}  // namespace tightwire::fields
