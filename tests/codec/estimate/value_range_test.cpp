// The range that a relative bound is a part of: what a program means by it, not what it fills gaps
// with.
#include "codec/estimate/value_range.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace tightwire::codec {
namespace {

template <class T>
ValueRange range_of(const std::vector<T>& values) {
  return value_range(sizeof(T) == 4 ? ElementType::float32 : ElementType::float64,
                     std::as_bytes(std::span(values)));
}

template <class T>
std::vector<T> temperatures(std::size_t count) {
  std::mt19937_64 random(count);
  std::uniform_real_distribution<double> kelvin(271, 303);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(kelvin(random));
  values[0] = T{270};
  values[count - 1] = T{304};
  return values;
}

template <class T>
class Ranges : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Ranges, FloatTypes);

TYPED_TEST(Ranges, OfAField) {
  const ValueRange range = range_of(temperatures<TypeParam>(5000));
  EXPECT_EQ(range.smallest, 270);
  EXPECT_EQ(range.largest, 304);
}

TYPED_TEST(Ranges, LeaveOutFillValues) {
  using T = TypeParam;
  for (const double fill : {1e20, 9.97e36, -9999.0, -1e30, -1e20}) {
    for (const std::size_t every : {2, 3, 50, 2000}) {
      std::vector<T> values = temperatures<T>(5000);
      for (std::size_t i = 1; i + 1 < values.size(); i += every) values[i] = static_cast<T>(fill);
      EXPECT_EQ(range_of(values).width(), 34) << fill << ", every " << every;
    }
  }
}

TYPED_TEST(Ranges, LeaveOutSeveralFillValues) {
  using T = TypeParam;
  std::vector<T> values = temperatures<T>(5000);
  for (std::size_t i = 1; i < 300; i += 3) {
    values[i] = static_cast<T>(1e20);
    values[i + 1] = static_cast<T>(9.97e36);
    values[i + 2] = T{-9999};
  }
  EXPECT_EQ(range_of(values).width(), 34);
}

TYPED_TEST(Ranges, LeaveOutFillValuesOfOneSideOrBoth) {
  using T = TypeParam;
  const auto rounded = static_cast<T>(1e20F);
  for (const auto& [one, other] : {std::pair{T(1e20), rounded}, std::pair{T(1e20), T(-1e20)},
                                   std::pair{T(-9999), T(-8888)}, std::pair{T(0), T(0)}}) {
    std::vector<T> values = temperatures<T>(5000);
    for (std::size_t i = 1; i < 300; i += 3) {
      values[i] = one;
      values[i + 1] = other;
    }
    EXPECT_EQ(range_of(values).width(), 34) << one << " and " << other;
  }
}

// As the encoder does, so that what makes no range comes back exactly.
TYPED_TEST(Ranges, LeaveOutByTheRuleOfTheEncoder) {
  using T = TypeParam;
  std::vector<T> values = temperatures<T>(5000);
  values[7] = values[9] = T(304 + 4 * 34);
  EXPECT_EQ(range_of(values).width(), 5 * 34);
  values[7] = values[9] = T(304 + 4 * 34 + 1);
  EXPECT_EQ(range_of(values).width(), 34);
}

TYPED_TEST(Ranges, LeaveOutWhatIsNoNumber) {
  using T = TypeParam;
  std::vector<T> values = temperatures<T>(100);
  values[5] = std::numeric_limits<T>::quiet_NaN();
  values[6] = std::numeric_limits<T>::infinity();
  values[7] = -std::numeric_limits<T>::infinity();
  EXPECT_EQ(range_of(values).width(), 34);
  EXPECT_FALSE(range_of(std::vector<T>{values[5], values[6], values[7]}).any);
  EXPECT_FALSE(range_of(std::vector<T>{}).any);
}

// One large number may be what it is all about.
TYPED_TEST(Ranges, KeepAPeakAndAnIndicator) {
  using T = TypeParam;
  std::vector<T> peak = temperatures<T>(5000);
  peak[77] = T{1e6};
  EXPECT_EQ(range_of(peak).largest, 1e6);
  std::vector<T> indicator(5000, T{0});
  indicator[10] = indicator[11] = T{1};
  EXPECT_EQ(range_of(indicator).width(), 1);
}

TYPED_TEST(Ranges, OfFewValues) {
  using T = TypeParam;
  for (std::size_t count = 1; count < 70; ++count) {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i) - T{3};
    EXPECT_EQ(range_of(values).smallest, -3) << count;
    EXPECT_EQ(range_of(values).largest, static_cast<double>(count) - 4) << count;
  }
}

TEST(JoinedRanges, TakeARankOfNothingButFillForThat) {
  const ValueRange field{270, 304, true};
  const ValueRange land{1e20, 1e20, true};
  EXPECT_EQ(field.joined(land).width(), 34);
  EXPECT_EQ(land.joined(field).width(), 34);
  EXPECT_EQ(field.joined({310, 310, true}).width(), 40);
  EXPECT_EQ(field.joined({}).width(), 34);
  EXPECT_EQ(ValueRange{}.joined(field).width(), 34);
  EXPECT_EQ(field.joined({0, 0, true}).width(), 34);
  EXPECT_EQ((ValueRange{0, 0, true}.joined({1, 1, true}).width()), 1);
}

template <class T>
bool wiped_out(const std::vector<T>& values, double part) {
  const ValueRange range = range_of(values);
  return range.wiped_out_by(part * range.width());
}

TYPED_TEST(Ranges, ThatOneValueMakesWipesOutTheOthers) {
  std::vector<TypeParam> values = temperatures<TypeParam>(5000);
  EXPECT_FALSE(wiped_out(values, 1e-4));
  values[77] = TypeParam(1e9);
  EXPECT_TRUE(wiped_out(values, 1e-4));
  EXPECT_FALSE(wiped_out(values, 1e-9));
}

// Nearly all of a wave that has begun to spread is nothing, but not what matters.
TYPED_TEST(Ranges, OfQuietFieldsWipeOutNothing) {
  std::vector<TypeParam> values(100000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) / 1000 - 50;
    values[i] = static_cast<TypeParam>(std::exp(-x * x / 2) * std::sin(5 * x));
  }
  EXPECT_FALSE(wiped_out(values, 1e-3));
  EXPECT_FALSE(wiped_out(std::vector<TypeParam>(1000, TypeParam(3)), 1e-3));
}

}  // namespace
}  // namespace tightwire::codec
