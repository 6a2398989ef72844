// A bound that the type has no second number for.
#include "codec/estimate/resolution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tightwire::codec {
namespace {

template <class T>
bool is_below(const std::vector<T>& values, double bound) {
  return is_below_resolution(sizeof(T) == 4 ? ElementType::float32 : ElementType::float64,
                             std::as_bytes(std::span(values)), bound);
}

template <class T>
class Resolution : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Resolution, FloatTypes);

TYPED_TEST(Resolution, OfTheSmallestOfAllValuesCounts) {
  using T = TypeParam;
  constexpr double part = std::numeric_limits<T>::epsilon();
  const std::vector<T> values(1000, T{300});
  EXPECT_TRUE(is_below(values, part));
  EXPECT_FALSE(is_below(values, 300 * part));
  std::vector<T> mixed = values;
  for (std::size_t i = 0; i < mixed.size(); i += 5) mixed[i] = T(1e-3);
  EXPECT_FALSE(is_below(mixed, part));
}

TYPED_TEST(Resolution, OfAPowerOfTwoIsTheFinerOneBelowIt) {
  using T = TypeParam;
  const std::vector<T> values(10, T{1});
  const double below = 1 - static_cast<double>(std::nextafter(T{1}, T{0}));
  EXPECT_FALSE(is_below(values, below));
  EXPECT_TRUE(is_below(values, below / 2));
}

TYPED_TEST(Resolution, ZerosAndWhatIsNoNumberSayNothing) {
  using T = TypeParam;
  EXPECT_FALSE(is_below<T>({}, 1e-300));
  EXPECT_FALSE(is_below<T>({0, std::numeric_limits<T>::infinity(), T{-0.0}}, 1e-300));
  EXPECT_FALSE(is_below<T>({std::numeric_limits<T>::quiet_NaN()}, 1e-300));
  EXPECT_TRUE(is_below<T>({std::numeric_limits<T>::quiet_NaN(), 0, 5}, 1e-30));
}

}  // namespace
}  // namespace tightwire::codec
