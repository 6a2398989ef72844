#include "os/idle_core.h"

#include <gtest/gtest.h>

namespace tightwire::os {
namespace {

TEST(CoreTimes, OfEachCore) {
  const char* text =
      "cpu  40 0 40 400 0 0 0 0 0 0\n"
      "cpu1 1 2 3 100 50 4 5 6 0 0\n"
      "cpu3 0 0 0 7 0 0 0 0 0 0\n"
      "intr 1 2 3\n";
  const std::vector<CoreTimes> times = parse_core_times(text);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[0].core, 1);
  EXPECT_EQ(times[0].busy, 21U);
  EXPECT_EQ(times[0].idle, 150U);
  EXPECT_EQ(times[1].core, 3);
  EXPECT_EQ(times[1].busy, 0U);
  EXPECT_EQ(times[1].idle, 7U);
}

TEST(CoreList, HasSingleCoresAndRanges) {
  const auto cores = [](const char* text) {
    const cpu_set_t set = parse_core_list(text);
    std::vector<int> all;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(static_cast<std::size_t>(core), &set)) all.push_back(core);
    }
    return all;
  };
  EXPECT_EQ(cores("0,64\n"), (std::vector<int>{0, 64}));
  EXPECT_EQ(cores("2-4,7\n"), (std::vector<int>{2, 3, 4, 7}));
  EXPECT_EQ(cores("5\n"), std::vector<int>{5});
  EXPECT_EQ(cores(""), std::vector<int>{});
  EXPECT_EQ(cores("1000-2000"), cores("1000-1023"));
}

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
