#include "os/cores/idle_core.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "../false_root.h"
#include "os/cores/affinity.h"
#include "other_process.h"

namespace tightwire::os {
namespace {

// A machine on which two cores of the test's mask did nothing in an interval.
class TwoIdleCores : public FalseRoot {
 protected:
  void SetUp() override {
    FalseRoot::SetUp();
    const cpu_set_t own = affinity_mask();
    CPU_ZERO(&mask_);
    for (int core = 0; core < CPU_SETSIZE && cores_.size() < 2; ++core) {
      if (!CPU_ISSET(static_cast<std::size_t>(core), &own)) continue;
      cores_.push_back(core);
      CPU_SET(static_cast<std::size_t>(core), &mask_);
    }
    if (cores_.size() < 2) GTEST_SKIP() << "needs two cores";
  }

  // Where a helper stands after an interval; -1: nowhere.
  [[nodiscard]] int place_of_helper() const {
    int place = -1;
    std::thread([&] {
      CoreLeases leases(lease_file());
      IdleCore helper(mask_, false, leases, root_);
      write_idle_ticks(100);
      if (helper.available()) return;
      write_idle_ticks(200);
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      if (!helper.available()) return;
      EXPECT_EQ(cores_in(affinity_mask()), 1U);
      place = sched_getcpu();
    }).join();
    return place;
  }

  [[nodiscard]] std::string lease_file() const { return root_ / "leases"; }
  void write_idle_ticks(int ticks) const {
    std::string text;
    for (const int core : cores_) {
      text += "cpu" + std::to_string(core) + " 0 0 0 " + std::to_string(ticks) + " 0 0 0 0\n";
    }
    write("proc/stat", text);
  }

  cpu_set_t mask_{};
  std::vector<int> cores_;
};

TEST_F(TwoIdleCores, TakeOneHelperOfAllProcessesEach) {
  for (const std::vector<int>& leased :
       std::vector<std::vector<int>>{{}, {cores_[0]}, {cores_[1]}, {cores_[0], cores_[1]}}) {
    auto& held = shared_with_children<std::atomic<std::size_t>>();
    const OtherProcess neighbour([&] {
      CoreLeases leases(lease_file());
      for (const int core : leased) held += leases.take(core) ? 1 : 0;
      ::pause();
    });
    wait_until([&] { return held == leased.size(); });
    const int place = place_of_helper();
    EXPECT_EQ(place >= 0, leased.size() < 2);
    for (const int core : leased) EXPECT_NE(place, core);
  }
}

// Whose hyperthread the core is counts.
TEST_F(TwoIdleCores, AreOnePlaceIfTheyAreSiblings) {
  for (const int core : cores_) {
    write("sys/devices/system/cpu/cpu" + std::to_string(core) + "/topology/thread_siblings_list",
          std::to_string(cores_[0]) + "," + std::to_string(cores_[1]) + "\n");
  }
  EXPECT_GE(place_of_helper(), 0);
  std::atomic<bool>& held = shared_with_children<std::atomic<bool>>();
  const OtherProcess neighbour([&] {
    CoreLeases leases(lease_file());
    held = leases.take(cores_[0]);
    ::pause();
  });
  wait_until([&] { return held.load(); });
  EXPECT_EQ(place_of_helper(), -1);
}

TEST_F(TwoIdleCores, AreLeasedUntilTheHelperEnds) {
  const auto is_free = [&](int core) {
    auto& got = shared_with_children<std::atomic<bool>>();
    OtherProcess([&] { got = CoreLeases(lease_file()).take(core); }).wait();
    return got.load();
  };
  std::thread([&] {
    CoreLeases leases(lease_file());
    {
      IdleCore helper(mask_, false, leases, root_);
      write_idle_ticks(100);
      EXPECT_FALSE(helper.available());
      write_idle_ticks(200);
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      ASSERT_TRUE(helper.available());
      EXPECT_NE(is_free(cores_[0]), is_free(cores_[1]));
    }
    EXPECT_TRUE(is_free(cores_[0]) && is_free(cores_[1]));
  }).join();
}

// Who said how many gets as many, wherever others stand.
TEST_F(TwoIdleCores, AreNotLeasedToThoseOnAnyCore) {
  std::atomic<std::size_t>& held = shared_with_children<std::atomic<std::size_t>>();
  const OtherProcess neighbour([&] {
    CoreLeases leases(lease_file());
    for (const int core : cores_) held += leases.take(core) ? 1 : 0;
    ::pause();
  });
  wait_until([&] { return held == 2; });
  CoreLeases leases(lease_file());
  EXPECT_TRUE(IdleCore(mask_, true, leases, root_).available());
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
