#include "os/cores/idle_core.h"

#include <gtest/gtest.h>

namespace tightwire::os {
namespace {

TEST(IdleCore, ThereIsNoneInAMaskOfOne) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(0, &mask);
  EXPECT_FALSE(IdleCore(mask, false).available());
  EXPECT_FALSE(IdleCore(mask, true).available());
}

TEST(Interruptions, ShortOnesAreTheSystemsOwn) {
  Interruptions interruptions;
  interruptions.begin();
  interruptions.resume(10, 1);
  EXPECT_TRUE(interruptions.tolerable(10.010, 1.0095));
  EXPECT_TRUE(interruptions.tolerable(10.020, 1.0190));
}

TEST(Interruptions, ManyShortOnesAddUp) {
  Interruptions interruptions;
  interruptions.begin();
  interruptions.resume(10, 1);
  bool tolerable = true;
  for (int i = 1; i <= 10; ++i) tolerable = interruptions.tolerable(10 + 2e-3 * i, 1 + 1e-3 * i);
  EXPECT_FALSE(tolerable);
  interruptions.begin();
  EXPECT_TRUE(interruptions.tolerable(10.022, 1.012));
}

TEST(Interruptions, SleepIsNone) {
  Interruptions interruptions;
  interruptions.begin();
  interruptions.resume(10, 1);
  EXPECT_TRUE(interruptions.tolerable(10.001, 1.001));
  interruptions.resume(11, 1.001);
  EXPECT_TRUE(interruptions.tolerable(11.001, 1.002));
}

}  // namespace
}  // namespace tightwire::os
