#include "early/tracking/mechanisms.h"

#include <gtest/gtest.h>

namespace tightwire::early {
namespace {

TEST(Mechanisms, ProtectionIsTooDearWhereAFaultCostsManyComparisons) {
  const double hash = 5e-11;  // a page in 0.2 us
  EXPECT_FALSE(too_dear({1e-6, hash}, 0.1));
  EXPECT_TRUE(too_dear({13e-6, hash}, 0.1));
  EXPECT_TRUE(too_dear({1e-6, hash}, 1));
  EXPECT_FALSE(too_dear({13e-6, hash}, 0));
}

TEST(Mechanisms, TheOneAskedForIsUsedOrHash) {
  for (const auto wanted : {Mechanism::wp_async, Mechanism::wp_sync, Mechanism::hash}) {
    const Trackers trackers = choose_trackers(wanted);
    const Mechanism expected = offer(wanted).tracker != nullptr ? wanted : Mechanism::hash;
    EXPECT_EQ(trackers.all[0]->mechanism(), expected);
    EXPECT_FALSE(trackers.because.empty());
  }
}

TEST(Mechanisms, ThereIsAlwaysHash) {
  const Trackers trackers = choose_trackers(std::nullopt);
  ASSERT_NE(trackers.all[0], nullptr);
  const Tracker& last = trackers.all[1] != nullptr ? *trackers.all[1] : *trackers.all[0];
  EXPECT_EQ(last.mechanism(), Mechanism::hash);
}

}  // namespace
}  // namespace tightwire::early
