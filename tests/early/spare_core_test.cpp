#include "early/spare_core.h"

#include <gtest/gtest.h>

namespace tightwire::early {
namespace {

TEST(CoreTimes, OfTheCoresInTheMaskOnly) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(1, &mask);
  CPU_SET(3, &mask);
  const char* text =
      "cpu  40 0 40 400 0 0 0 0 0 0\n"
      "cpu0 10 0 10 100 0 0 0 0 0 0\n"
      "cpu1 1 2 3 100 50 4 5 6 0 0\n"
      "cpu2 10 0 10 100 0 0 0 0 0 0\n"
      "cpu3 0 0 0 7 0 0 0 0 0 0\n"
      "intr 1 2 3\n";
  const std::vector<CoreTimes> times = parse_core_times(text, mask);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[0].core, 1);
  EXPECT_EQ(times[0].busy, 21U);
  EXPECT_EQ(times[0].idle, 150U);
  EXPECT_EQ(times[1].core, 3);
  EXPECT_EQ(times[1].busy, 0U);
  EXPECT_EQ(times[1].idle, 7U);
}

TEST(SpareCore, ThereIsNoneInAMaskOfOne) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(0, &mask);
  EXPECT_FALSE(SpareCore(mask, false).available());
  EXPECT_FALSE(SpareCore(mask, true).available());
}

}  // namespace
}  // namespace tightwire::early
