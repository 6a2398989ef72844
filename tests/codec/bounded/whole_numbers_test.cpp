// Whole numbers that are no measurement are told from those of chance by all values, and come back.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bounded/data.h"
#include "bounded/support.h"

namespace tightwire::codec {
namespace {

// Broken numbers below 50.
template <class T>
std::vector<T> coordinates(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> coordinate(-50, 50);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(coordinate(random)) + T(0.001);
  return values;
}

template <class T>
class WholeNumbers : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(WholeNumbers, FloatTypes);

// The larger the number the more of its size make it one of chance. There is only one, wherever it
// stands: a sample that meets it is of no others like it.
TYPED_TEST(WholeNumbers, OneLargeOneComesBackFromAnyPlace) {
  using T = TypeParam;
  constexpr int digits = std::numeric_limits<T>::digits;
  const auto whole = static_cast<T>((std::uint64_t{1} << (digits - 6)) + 1);
  for (std::size_t place = 0; place < 130; ++place) {
    auto values = coordinates<T>(1000, 3);
    values[place] = whole;
    for (std::size_t i = 200; i < 400; ++i) values[i] = static_cast<T>(i) * 100 + T(0.5);
    EXPECT_EQ(round_trip(values, 0.3)[place], whole) << place;
  }
}

// What stands beside them in whole blocks, and is no number, is not broken.
TYPED_TEST(WholeNumbers, AloneComeBackBesideWhatIsNoNumber) {
  using T = TypeParam;
  constexpr int digits = std::numeric_limits<T>::digits;
  constexpr double most_exact = 0.99;
  for (const T other : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                        std::numeric_limits<T>::max() / 3, T{0}}) {
    std::vector<T> values(20000, other);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % 4096 < 2048) values[i] = std::ldexp(T{1}, digits - 3) + static_cast<T>(i * 3);
    }
    // Of few bits behind the point, a rule of chance would not do.
    for (std::size_t i = 0; i < 40; ++i)
      values[i] = std::ldexp(T{1}, digits - 2) + static_cast<T>(i);
    const auto result = round_trip(values, most_exact);
    EXPECT_TRUE(same_bits(values, result)) << other;
  }
}

// Identities that chance could have made, if not all of them.
TYPED_TEST(WholeNumbers, OfFewBitsBehindThePointComeBackIfAllAre) {
  using T = TypeParam;
  constexpr int digits = std::numeric_limits<T>::digits;
  auto values = coordinates<T>(4000, 4);
  for (std::size_t i = 0; i < 40; ++i) {
    values[100 * i + 7] = std::ldexp(T{1}, digits - 2) + static_cast<T>(i);
  }
  const auto all = round_trip(values, 0.9);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(all[100 * i + 7], values[100 * i + 7]);
}

// Zero may be what stands for no value, and have a sign.
TYPED_TEST(WholeNumbers, ZerosThatAreFillValuesKeepTheirSignBesideThem) {
  using T = TypeParam;
  auto values = coordinates<T>(4000, 5);
  for (T& value : values) value = 300 + value / 50;
  for (std::size_t i = 0; i < values.size(); i += 5) values[i] = i % 10 == 0 ? T{-0.0} : T{0};
  values[77] = 300;
  const auto result = round_trip(values, 1e-3);
  for (std::size_t i = 0; i < values.size(); i += 5) {
    ASSERT_TRUE(same_bits(values[i], result[i])) << i;
  }
  EXPECT_EQ(result[77], T{300});
}

// In half of the values there are too few like them.
TYPED_TEST(WholeNumbers, OfChanceAreNoReasonForAFinerGridIfTheirLikesStandElsewhere) {
  using T = TypeParam;
  if (sizeof(T) != 4) return;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> large(90000, 110000);
  auto values = coordinates<T>(100000, 6);
  for (std::size_t i = 50000; i < values.size(); ++i) values[i] = static_cast<T>(large(random));
  EXPECT_LE(encoded(values, alone_parameters(1.9)).size(),
            encoded(values, grid_parameters(1.9)).size());
}

// So many values that a sample tells the fill values before all are looked at.
template <class T>
std::vector<T> coordinates_with_gaps(unsigned seed) {
  auto values = coordinates<T>(50000, seed);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 500 < 200) values[i] = T{-9999};
  }
  return values;
}

TYPED_TEST(WholeNumbers, ComeBackBesideFillValues) {
  using T = TypeParam;
  auto values = coordinates_with_gaps<T>(8);
  values[30300] = T{12};
  EXPECT_EQ(round_trip(values, 0.3)[30300], T{12});
}

TYPED_TEST(WholeNumbers, ComeBackFromBeyondWhatOnlyASampleTakesForFillValues) {
  using T = TypeParam;
  auto values = coordinates_with_gaps<T>(9);
  for (std::size_t i = 0; i < 12; ++i) values[300 + 4001 * i] = -10001 - static_cast<T>(i);
  const auto result = round_trip(values, 0.3);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(result[300 + 4001 * i], values[300 + 4001 * i]);
}

}  // namespace
}  // namespace tightwire::codec
