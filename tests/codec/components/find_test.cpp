// How many components a stretch of integers seems to have.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "codec/rows/components.h"

namespace tightwire::codec {
namespace {

using Integers = std::vector<std::int64_t>;

// Random walks, far from each other.
Integers walks(std::size_t components, std::size_t count, double step) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> at(components);
  for (double& each : at) each = 1e5 * normal(random);
  Integers result(count);
  for (std::size_t i = 0; i < count; ++i) {
    at[i % components] += step * normal(random);
    result[i] = std::llrint(at[i % components]);
  }
  return result;
}

std::uint32_t found(const Integers& integers) {
  const Stretch stretch = integers;
  return find_components({&stretch, 1});
}

TEST(FindComponents, OfEveryNumber) {
  for (std::size_t components = 1; components <= 16; ++components) {
    EXPECT_EQ(found(walks(components, components_window, 50)), components);
  }
}

TEST(FindComponents, OfNoiseOfUnlikeSizes) {
  std::mt19937_64 random(6);
  std::normal_distribution<double> normal;
  const double sizes[] = {1e5, 100, 3000};
  Integers integers(components_window);
  for (std::size_t i = 0; i < integers.size(); ++i) {
    integers[i] = std::llrint(sizes[i % 3] * normal(random));
  }
  EXPECT_EQ(found(integers), 3U);
}

TEST(FindComponents, AsManyAsAShortStretchCanShow) {
  EXPECT_EQ(found(walks(3, 110, 50)), 3U);
  EXPECT_EQ(found(walks(3, 90, 50)), 1U);
  EXPECT_EQ(found({}), 1U);
  EXPECT_EQ(find_components({}), 1U);
}

TEST(FindComponents, OneWhereThereIsOne) {
  EXPECT_EQ(found(Integers(1000, 42)), 1U) << "constant";
  Integers ramp(1000);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<std::int64_t>(3 * i);
  EXPECT_EQ(found(ramp), 1U) << "ramp";
  for (const double size : {1.0, 100.0, 1e6}) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    Integers noise(1000);
    for (auto& each : noise) each = std::llrint(size * normal(random));
    EXPECT_EQ(found(noise), 1U) << "noise of " << size;
  }
  Integers wave(1000);
  for (std::size_t i = 0; i < wave.size(); ++i) {
    wave[i] = std::llrint(1e5 * std::sin(0.05 * static_cast<double>(i)));
  }
  EXPECT_EQ(found(wave), 1U) << "wave";
  for (const std::size_t row : {20, 100, 300}) {
    Integers plane(1000);
    for (std::size_t i = 0; i < plane.size(); ++i) {
      const auto y = static_cast<double>(i / row);
      plane[i] = std::llrint(1e5 * std::sin(0.1 * static_cast<double>(i % row)) * std::cos(y));
    }
    EXPECT_EQ(found(plane), 1U) << "rows of " << row;
  }
}

TEST(FindComponents, OfAMessage) {
  std::vector<double> values(30000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<double>(1 + i % 6 * 7) + 1e-3 * std::sin(static_cast<double>(i / 6));
  }
  EXPECT_EQ(find_components(ElementType::float64, std::as_bytes(std::span(values))), 6U);
  EXPECT_EQ(find_components(ElementType::float64, {}), 1U);
}

}  // namespace
}  // namespace tightwire::codec
