// Numbers stored in a type that is not theirs: doubles that were floats, images and counts as
// floats, and all of it packed as bytes. And numbers far from zero for their range.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "fields/kinds.h"

namespace tightwire::fields {
namespace {

// The same with its values from -1 to 1.
std::vector<float> normalised(std::vector<float> values) {
  const auto [low, high] = std::ranges::minmax(values);
  for (float& value : values) value = 2 * (value - low) / (high - low) - 1;
  return values;
}

template <class T>
std::vector<T> take(const std::vector<float>& values, std::size_t count) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count)};
}

template <class T>
void append(std::vector<std::byte>& bytes, const std::vector<T>& values) {
  const auto* const first = reinterpret_cast<const std::byte*>(values.data());
  bytes.insert(bytes.end(), first, first + values.size() * sizeof(T));
}

}  // namespace

Field kelvin(std::size_t bytes) {
  const auto [rows, columns] = grid_of(bytes / sizeof(float));
  std::vector<float> values = normalised(turbulent_velocity(rows, columns, 0));
  for (float& value : values) value += 288;
  return field_of("kelvin", {rows, columns}, values);
}

Field widened(std::size_t bytes) {
  const auto [rows, columns] = grid_of(bytes / sizeof(double));
  const std::vector<float> values = turbulent_velocity(rows, columns, 0);
  return field_of("widened", {rows, columns}, take<double>(values, values.size()));
}

Field image(std::size_t bytes) {
  const auto [rows, columns] = grid_of(bytes / sizeof(float));
  std::vector<float> values = normalised(turbulent_velocity(rows, columns, 0));
  for (float& value : values) value = std::round(127.5F + 127.5F * value);
  return field_of("image", {rows, columns}, values);
}

Field counts(std::size_t bytes) {
  const auto [rows, columns] = grid_of(bytes / sizeof(float));
  std::vector<float> values = normalised(turbulent_velocity(rows, columns, 0));
  std::mt19937_64 random(1905);
  for (float& value : values) {
    // Some 10 where it is dark and 1000 where it is bright.
    std::poisson_distribution<int> photons(100 * std::pow(10.0, value));
    value = static_cast<float>(photons(random));
  }
  return field_of("counts", {rows, columns}, values);
}

// A half of doubles, a quarter of floats, a quarter of integers that count up.
Field packed(std::size_t bytes) {
  const auto [rows, columns] = grid_of(bytes / sizeof(double));
  const std::vector<float> values = turbulent_velocity(rows, columns, 0);
  std::vector<double> doubles = take<double>(values, bytes / 2 / sizeof(double));
  for (std::size_t i = 0; i < doubles.size(); ++i) doubles[i] *= 1.1;
  std::vector<std::int32_t> integers(bytes / 4 / sizeof(std::int32_t));
  for (std::size_t i = 0; i < integers.size(); ++i) integers[i] = static_cast<std::int32_t>(3 * i);
  Field field{"packed", codec::ElementType::bytes, {bytes}, {}};
  append(field.bytes, doubles);
  append(field.bytes, take<float>(values, bytes / 4 / sizeof(float)));
  append(field.bytes, integers);
  return field;
}

}  // namespace tightwire::fields
