#include "codec/error_bound.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tightwire::codec {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

TEST(ErrorBound, TheBoundItselfIsWithin) {
  EXPECT_TRUE(within_bound(1.5, 1.0, 0.5));
  EXPECT_TRUE(within_bound(1.0, 1.5, 0.5));
  EXPECT_FALSE(within_bound(1.5, 1.0, std::nextafter(0.5, 0.0)));
}

TEST(ErrorBound, CountsWhatTheSubtractionRoundsAway) {
  const double bound = 1;
  const double tiny = 1e-30;  // 1 + tiny rounds to 1
  EXPECT_FALSE(within_bound(1.0, -tiny, bound));
  EXPECT_FALSE(within_bound(-tiny, 1.0, bound));
  EXPECT_FALSE(within_bound(-1.0, tiny, bound));
  EXPECT_TRUE(within_bound(1.0, tiny, bound));
  EXPECT_TRUE(within_bound(-1.0, -tiny, bound));
}

TEST(ErrorBound, NothingIsWithinOfNaNOrOverflow) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double max = std::numeric_limits<double>::max();
  EXPECT_FALSE(within_bound(nan, 1.0, 10));
  EXPECT_FALSE(within_bound(1.0, nan, 10));
  EXPECT_FALSE(within_bound(1.0, inf, 10));
  EXPECT_FALSE(within_bound(max, -max, max));
}

TEST(ErrorBound, SpecialValuesMustBeExact) {
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -0.0F}) {
    EXPECT_TRUE(must_be_exact(value)) << value;
    EXPECT_TRUE(honours_bound(value, value, 1)) << value;
    EXPECT_FALSE(honours_bound(value, 0.0F, 1)) << value;
  }
  for (const float value :
       {0.0F, 1.0F, -1.0F, std::numeric_limits<float>::min(), std::numeric_limits<float>::max()}) {
    EXPECT_FALSE(must_be_exact(value)) << value;
  }
  EXPECT_TRUE(must_be_exact(-0.0));
  EXPECT_TRUE(must_be_exact(1e-310));
}

}  // namespace
}  // namespace tightwire::codec
