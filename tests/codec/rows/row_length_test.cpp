#include "codec/rows/row_length.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace tightwire::codec {
namespace {

using Integers = std::vector<std::int64_t>;

// Rows that resemble the one before: a rough profile that changes slowly, and some noise.
Integers field(std::size_t row_length, std::size_t count, double noise) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> profile(row_length);
  double value = 0;
  for (double& each : profile) each = value += 100 * normal(random);
  Integers result(count);
  for (std::size_t i = 0; i < count; ++i) {
    double& each = profile[i % row_length];
    each += 5 * normal(random);
    result[i] = static_cast<std::int64_t>(each + noise * normal(random));
  }
  return result;
}

Integers white_noise(std::size_t count, std::int64_t most) {
  std::mt19937_64 random(8);
  std::uniform_int_distribution<std::int64_t> uniform(-most, most);
  Integers result(count);
  for (std::int64_t& each : result) each = uniform(random);
  return result;
}

std::uint32_t found(const Integers& integers) {
  const Stretch stretch = integers;
  return find_row_length({&stretch, 1});
}

TEST(RowLength, IsFoundInFieldsOfAnyWidth) {
  for (const std::size_t row_length : {16, 37, 128, 500, 1024, 3001, 8192}) {
    EXPECT_EQ(found(field(row_length, stretch_for_lag(8192), 5)), row_length);
  }
}

TEST(RowLength, IsFoundThroughNoise) {
  EXPECT_EQ(found(field(700, stretch_for_lag(4000), 20)), 700U);
}

TEST(RowLength, IsFoundInAStretchOfLittleMoreThanARow) {
  EXPECT_EQ(found(field(700, stretch_for_lag(700), 5)), 700U);
  EXPECT_EQ(found(field(700, stretch_for_lag(699), 5)), 0U);
}

TEST(RowLength, OfRepetitionsIsTheShortest) {
  Integers pattern = white_noise(100, 1000);
  Integers repeated;
  while (repeated.size() < 5000) repeated.insert(repeated.end(), pattern.begin(), pattern.end());
  EXPECT_EQ(found(repeated), 100U);
}

TEST(RowLength, IsNoneWhereThereIsNone) {
  EXPECT_EQ(found(Integers(9000, 42)), 0U) << "constant";
  Integers ramp(9000);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<std::int64_t>(3 * i);
  EXPECT_EQ(found(ramp), 0U) << "ramp";
  Integers spike(9000);
  spike[5000] = 1;
  EXPECT_EQ(found(spike), 0U) << "one spike";
  for (const std::int64_t most : {1, 100, 1'000'000}) {
    EXPECT_EQ(found(white_noise(8384, most)), 0U) << "noise up to " << most;
  }
  Integers walk = white_noise(8384, 50);
  for (std::size_t i = 1; i < walk.size(); ++i) walk[i] += walk[i - 1];
  EXPECT_EQ(found(walk), 0U) << "random walk";
}

TEST(RowLength, TakesAnyIntegersAndAnySize) {
  Integers extreme(3000);
  for (std::size_t i = 0; i < extreme.size(); ++i) {
    extreme[i] = i % 3 == 0 ? std::numeric_limits<std::int64_t>::min()
                            : std::numeric_limits<std::int64_t>::max();
  }
  EXPECT_EQ(found(extreme) % 3, 0U);
  for (std::size_t size = 0; size < 400; ++size) found(white_noise(size, 9));
  EXPECT_EQ(find_row_length({}), 0U);
}

TEST(RowLength, AStretchWithoutRowsDoesNotHideThem) {
  const Integers rows = field(300, stretch_for_lag(1000), 5);
  const Integers flat(stretch_for_lag(1000), 5);
  const Stretch both[] = {flat, rows};
  EXPECT_EQ(find_row_length(both), 300U);
}

}  // namespace
}  // namespace tightwire::codec
