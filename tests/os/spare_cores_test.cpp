#include "os/cores/spare_cores.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "os/cores/affinity.h"

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

cpu_set_t alone(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(core), &set);
  return set;
}

// Four cores of two threads each: 0 and 4 share one, 1 and 5, 2 and 6, 3 and 7.
cpu_set_t pair_of(int core) {
  return parse_core_list((std::to_string(core % 4) + "," + std::to_string(core % 4 + 4)).c_str());
}

// Each was idle for a hundred ticks but for those named.
std::vector<CoreTimes> after_hundred_ticks(std::vector<CoreTimes> cores,
                                           const std::vector<CoreTimes>& busy) {
  for (CoreTimes& core : cores) core.idle += 100;
  for (const CoreTimes& each : busy) {
    CoreTimes& core = cores.at(static_cast<std::size_t>(each.core));
    core.busy += each.busy;
    core.idle -= each.busy;
  }
  return cores;
}

std::vector<CoreTimes> eight_cores() {
  std::vector<CoreTimes> cores;
  for (int core = 0; core < 8; ++core) cores.push_back({core, 1000, 5000});
  return cores;
}

TEST(SpareCores, AreThoseOfTheMaskThatDidNextToNothing) {
  const auto before = eight_cores();
  const auto now = after_hundred_ticks(before, {{1, 15, 0}, {2, 16, 0}});
  const auto spare = spare_cores(before, now, parse_core_list("0-3"), {}, alone);
  EXPECT_EQ(spare, (std::vector<int>{0, 1, 3}));
}

TEST(SpareCores, AreNoneWhoseSiblingIsBusyEvenOutsideTheMask) {
  const auto before = eight_cores();
  const auto now = after_hundred_ticks(before, {{6, 90, 0}});
  EXPECT_EQ(spare_cores(before, now, parse_core_list("0-3"), {}, pair_of),
            (std::vector<int>{0, 1, 3}));
}

TEST(SpareCores, OwnWorkMakesACoreNotBusy) {
  const auto before = eight_cores();
  const auto now = after_hundred_ticks(before, {{2, 100, 0}});
  const cpu_set_t mask = parse_core_list("2");
  EXPECT_EQ(spare_cores(before, now, mask, {2, 90}, pair_of), std::vector<int>{2});
  EXPECT_EQ(spare_cores(before, now, mask, {2, 80}, pair_of), std::vector<int>{});
  EXPECT_EQ(spare_cores(before, now, mask, {1, 90}, pair_of), std::vector<int>{});
}

TEST(SpareCores, AreNoneOfWhichNothingIsKnown) {
  const auto now = eight_cores();
  EXPECT_EQ(spare_cores({}, now, parse_core_list("0-7"), {}, alone), std::vector<int>{});
  // Read twice within one tick of the clock.
  EXPECT_EQ(spare_cores(now, now, parse_core_list("0-7"), {}, alone), std::vector<int>{});
}

TEST(ShareOfCores, EachCoreIsDividedAmongThoseThatMayRunThere) {
  const auto share = [](const char* mask, std::vector<const char*> others) {
    std::vector<cpu_set_t> masks{parse_core_list(mask)};
    for (const char* other : others) masks.push_back(parse_core_list(other));
    return share_of_cores(masks.front(), masks);
  };
  EXPECT_EQ(share("0-3", {}), 4);
  EXPECT_EQ(share("0-3", {"4-7"}), 4);
  EXPECT_EQ(share("0-3", {"0-3"}), 2);
  EXPECT_EQ(share("0-3", {"2-5"}), 3);
  EXPECT_EQ(share("0-5", {"0-5", "0-5"}), 2);
  EXPECT_EQ(share("0", {"0-1", "0-3", "0"}), 0.25);
  EXPECT_EQ(share("", {"0-3"}), 0);
}

}  // namespace
}  // namespace tightwire::os
