// Numbers beside each other that are not of a kind: components of a vector, and records of a
// particle code.
#include <bit>
#include <cstdint>
#include <random>

#include "fields/kinds.h"

namespace tightwire::fields {
namespace {

constexpr std::size_t dimensions = 3;
constexpr std::array<float, dimensions> sizes{10, 3, 0.1F};  // flow along x, thin in z

using Components = std::array<std::vector<float>, dimensions>;

Components velocity(std::size_t count) {
  const auto [rows, columns] = grid_of(std::bit_ceil((count + dimensions - 1) / dimensions));
  Components components;
  for (unsigned i = 0; i < dimensions; ++i) {
    components[i] = turbulent_velocity(rows, columns, i);
    for (float& value : components[i]) value *= sizes[i];
  }
  return components;
}

// What a particle code packs for one that moves to another rank: the length of the record, place
// and velocity, four integers as the bits of doubles, and a charge.
constexpr std::size_t record_length = 12;

std::array<double, record_length> record(std::mt19937_64& random, std::int64_t tag) {
  std::uniform_real_distribution<double> place(0, 40);
  std::normal_distribution<double> speed;
  const auto bits = [](std::int64_t value) { return std::bit_cast<double>(value); };
  const std::int64_t kind = 1 + tag % 2;
  constexpr std::int64_t unwrapped = 512 | 512 << 10 | 512 << 20;
  return {double{record_length}, place(random),         place(random), place(random), speed(random),
          speed(random),         speed(random),         bits(tag),     bits(kind),    bits(1),
          bits(unwrapped),       kind == 1 ? 1.0 : -1.0};
}

}  // namespace

Field interleaved(std::size_t bytes) {
  const std::size_t count = bytes / sizeof(float);
  const Components components = velocity(count);
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = components[i % dimensions][i / dimensions];
  return field_of("interleaved", {count}, values);
}

Field interleaved_apart(std::size_t bytes) {
  const std::size_t count = bytes / sizeof(float);
  const Components components = velocity(count);
  std::vector<float> values;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::size_t length = (count - i + dimensions - 1) / dimensions;
    values.insert(values.end(), components[i].begin(),
                  components[i].begin() + static_cast<std::ptrdiff_t>(length));
  }
  return field_of("interleaved_apart", {count}, values);
}

Field records(std::size_t bytes) {
  std::mt19937_64 random(12);
  std::vector<double> values(bytes / sizeof(double));
  std::array<double, record_length> current{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % record_length == 0)
      current = record(random, static_cast<std::int64_t>(random() >> 44U));
    values[i] = current[i % record_length];
  }
  return field_of("records", {values.size()}, values);
}

}  // namespace tightwire::fields
