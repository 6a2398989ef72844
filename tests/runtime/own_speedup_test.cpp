#include "runtime/crew/own_speedup.h"

#include <gtest/gtest.h>

#include "os/cores/affinity.h"

namespace tightwire::runtime {
namespace {

TEST(OwnSpeedup, IsOneWithoutHelpers) {
  Crew crew;
  OwnSpeedup speedup;
  EXPECT_EQ(speedup.last(), 1);
  EXPECT_EQ(speedup.measured(crew, {1, true}), 1);
  EXPECT_EQ(speedup.last(), 1);
}

TEST(OwnSpeedup, IsMeasuredAgainSoonOnlyForOtherThreads) {
  if (os::cores_in(os::affinity_mask()) < 2) GTEST_SKIP() << "needs two cores";
  Crew crew;
  OwnSpeedup speedup;
  const double two = speedup.measured(crew, {2, true});
  EXPECT_GE(two, 1);
  EXPECT_LE(two, 2);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(speedup.measured(crew, {2, true}), two);
  EXPECT_EQ(speedup.measured(crew, {1, true}), 1);
}

}  // namespace
}  // namespace tightwire::runtime
