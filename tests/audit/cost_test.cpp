#include "audit/cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace tightwire::audit {
namespace {

using namespace std::chrono_literals;

TEST(Cost, CallsThatAreDearToCountStandForSeveral) {
  Cost cost;
  cost.start();
  for (int i = 0; i < 100'000; ++i) cost.count_call(2us, 0);
  std::uint64_t most = 0;
  for (int i = 0; i < 100'000; ++i) most = std::max(most, cost.weight_of_next_call());
  EXPECT_GT(most, 1U);
}

// Between the program's call and MPI's, the system gave the core to others.
TEST(Cost, CallsThatWereInterruptedAreCountedAsEver) {
  Cost cost;
  cost.start();
  for (int i = 0; i < 20; ++i) cost.count_call(50ms, 0);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(cost.weight_of_next_call(), 1U);
  Profile profile;
  cost.add_to(profile);
  EXPECT_LT(profile.cost_seconds, 0.01);
}

// The clock stands as good as still for as long as this takes.
TEST(Cost, WhatWasNeverSampledGoesBeforeWhatWas) {
  Cost cost;
  cost.start(Cost::Clock::now() - 100s);
  EXPECT_TRUE(cost.affords_sample(1000));
  cost.count_sample(1000, 600ms);
  EXPECT_FALSE(cost.affords_sample(1));
  EXPECT_TRUE(cost.affords_sample(1, true));
  cost.count_sample(1000, 600ms);
  EXPECT_FALSE(cost.affords_sample(1, true));
}

// What is kept for later samples is no measure of how long one takes.
TEST(Cost, CopiesCountAsCostAlone) {
  Cost cost;
  cost.start(Cost::Clock::now() - 100s);
  cost.count_sample(1000, 1us);
  cost.count_copy(100ms);
  EXPECT_TRUE(cost.affords_sample(1 << 20));
  Profile profile;
  cost.add_to(profile);
  EXPECT_GE(profile.cost_seconds, 0.1);
}

}  // namespace
}  // namespace tightwire::audit
