#include <gtest/gtest.h>

#include "comparison/breakdown.h"

namespace tightwire::comparison {
namespace {

TEST(ComparisonBreakdown, OtherIsWhatNoPartHas) {
  TimedCall call{10, {1, 2, 0.5, 3, 1.5, 99}};
  call.set_other();
  EXPECT_DOUBLE_EQ(call.parts.other, 2);
  EXPECT_DOUBLE_EQ(sum(call.parts), call.seconds);
}

TEST(ComparisonBreakdown, TheMedianIsOneOfTheCalls) {
  EXPECT_EQ(median_place(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median_place(std::vector<double>{7}), 0);
  // Plain calls and compressed ones: none in the middle between them.
  EXPECT_EQ(median_place(std::vector<double>{50, 49, 11, 10}), 2);
}

}  // namespace
}  // namespace tightwire::comparison
