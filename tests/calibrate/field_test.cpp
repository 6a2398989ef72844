#include "calibrate/collectives/field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tightwire::calibrate {
namespace {

constexpr std::size_t count = 10000;

double largest_step(const std::vector<float>& values) {
  double largest = 0;
  for (std::size_t i = 1; i < 1024; ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(values[i]) - values[i - 1]));
  }
  return largest;
}

TEST(Field, ShorterOneIsTheBeginningOfALongerOne) {
  for (const Data data : {Data::smooth, Data::noisy}) {
    const std::vector<float> longer = make_field(data, count, 3);
    const std::vector<float> shorter = make_field(data, 1500, 3);
    EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin())) << name_of(data);
  }
}

TEST(Field, RanksDiffer) {
  EXPECT_NE(make_field(Data::smooth, count, 0), make_field(Data::smooth, count, 1));
}

TEST(Field, StaysInItsRange) {
  for (const float value : make_field(Data::smooth, std::size_t{1} << 20, 0)) {
    ASSERT_LE(std::fabs(value), 1);
  }
}

TEST(Field, NoiseStandsOutOfASmoothField) {
  EXPECT_LT(largest_step(make_field(Data::smooth, count, 0)), 0.01);
  EXPECT_GT(largest_step(make_field(Data::noisy, count, 0)), 0.01);
}

}  // namespace
}  // namespace tightwire::calibrate
