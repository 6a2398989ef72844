// Values for the tests of kernels, and what is asked of them.
#pragma once

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "device/kernels/vocabulary.h"
#include "device/profile.h"

namespace tightwire::device {

using codec::ElementType;
using Order = HostLanes::Order;

inline constexpr Order orders[] = {Order::forward, Order::backward, Order::shuffled};

template <class T>
constexpr ElementType type_of = sizeof(T) == 4 ? ElementType::float32 : ElementType::float64;

template <class T>
struct Field {
  std::string name;
  std::vector<T> values;
};

template <class T>
Field<T> field(const std::string& name, std::size_t count, std::function<double(std::size_t)> at) {
  Field<T> made{name, std::vector<T>(count)};
  for (std::size_t i = 0; i < count; ++i) made.values[i] = static_cast<T>(at(i));
  return made;
}

// Smooth, noisy, still, quiet here and there, with values that no grid holds, and of all lengths.
template <class T>
std::vector<Field<T>> fields() {
  constexpr std::size_t chunk = Extent<T>::values;
  std::minstd_rand random(3);
  std::uniform_real_distribution<double> even(-1, 1);
  const auto noise = [&](std::size_t) { return even(random); };
  const auto smooth = [](std::size_t i) { return std::sin(static_cast<double>(i) * 1e-3); };
  const auto bursts = [&](std::size_t i) { return i % 3000 < 100 ? even(random) : 0; };
  const auto gaps = [&](std::size_t i) {
    if (i % 700 > 600) return std::numeric_limits<double>::quiet_NaN();
    if (i % 911 == 5) return -std::numeric_limits<double>::infinity();
    return i % 977 == 7 ? -0.0 : smooth(i);
  };
  const auto missing = [](std::size_t) { return std::numeric_limits<double>::quiet_NaN(); };
  return {
      field<T>("one", 1, smooth),
      field<T>("few", 17, smooth),
      field<T>("part of a tile", tile_values - 3, noise),
      field<T>("smooth", 2 * chunk + 1234, smooth),
      field<T>("far", chunk + 5, [&](std::size_t i) { return 1000 + smooth(i); }),
      field<T>("noise", chunk, noise),
      field<T>("still", chunk + 2 * tile_values + 1, [](std::size_t) { return 0.5; }),
      field<T>("bursts", 2 * chunk, bursts),
      field<T>("gaps", chunk + 100, gaps),
      field<T>("missing", tile_values + 20, missing),
  };
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

inline std::uint64_t digest(const std::vector<std::byte>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte byte : bytes) {
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
  }
  return hash;
}

template <class T>
std::vector<T> whole_steps() {
  std::vector<T> values(2 * Extent<T>::values + 77);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t burst = i % 5000 < 900 ? i * i % 1009 : 3;
    values[i] = static_cast<T>(i % 4099 == 1 ? 1e30 : 0.25 * static_cast<double>(burst));
  }
  return values;
}

}  // namespace tightwire::device
