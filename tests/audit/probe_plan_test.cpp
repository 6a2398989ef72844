#include "audit/probe_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tightwire::audit {
namespace {

constexpr double latency = 50e-6;

// A link whose first bytes pass at the speed of memory, as a token bucket lets them.
struct Link {
  double bandwidth = 12.5e6;
  double burst = 0;
  double sent = 0;
  double spent = 0;
  int messages = 0;

  double seconds(std::size_t size) {
    const auto bytes = static_cast<double>(size);
    const double at_once = std::clamp(burst - sent, 0.0, bytes);
    sent += bytes;
    const double seconds = latency + at_once / 5e9 + (bytes - at_once) / bandwidth;
    spent += seconds;
    ++messages;
    return seconds;
  }
};

double measured(Link& link, double budget, double delay_of_third = 0) {
  ProbePlan plan(budget, latency);
  while (const std::size_t bytes = plan.next_bytes()) {
    const double seconds = link.seconds(bytes) + (link.messages == 3 ? delay_of_third : 0);
    plan.count(seconds, seconds);
  }
  return plan.bandwidth();
}

TEST(ProbePlan, IsRightOnLinksOfAllKinds) {
  for (const double bandwidth : {1.25e6, 12.5e6, 125e6, 1.25e9, 12.5e9}) {
    for (const double burst : {0.0, 256e3, 400e3}) {
      Link link{bandwidth, burst};
      EXPECT_NEAR(measured(link, 1.0) / bandwidth, 1, 0.1) << bandwidth << " " << burst;
    }
  }
}

TEST(ProbePlan, BeginsSmallAndKeepsToTheBudget) {
  for (const double bandwidth : {1.25e6, 12.5e6, 125e6}) {
    for (const double burst : {0.0, 256e3}) {
      Link link{bandwidth, burst};
      const double found = measured(link, 0.02);
      const double round = 65536 / bandwidth;
      EXPECT_LE(link.spent, 0.02 + 2 * round + 20 * latency) << bandwidth << " " << burst;
      // Where one message takes longer than all may, it must do.
      EXPECT_NEAR(found / bandwidth, 1, round < 0.02 ? 0.1 : 0.25) << bandwidth << " " << burst;
    }
  }
}

TEST(ProbePlan, TakesASmallPartOfTheRun) {
  EXPECT_LT(ProbePlan::budget(10.0), 0.005 * 10.0);
  EXPECT_GT(ProbePlan::budget(0.0), 0);
}

TEST(ProbePlan, OnASlowLinkOfAShortRunFewMessagesDo) {
  Link link{1.25e6, 0};
  EXPECT_NEAR(measured(link, 1e-3) / 1.25e6, 1, 0.1);
  EXPECT_EQ(link.messages, 3);
  EXPECT_LE(link.sent, 3 * 16384);
}

TEST(ProbePlan, TheEndOfABurstIsNotTakenForTheLink) {
  // The budget is spent in the very message in which the burst ends.
  Link link{12.5e6, 256e3};
  EXPECT_NEAR(measured(link, 4e-3) / 12.5e6, 1, 0.1);
}

TEST(ProbePlan, WhatIsHeldUpOnceDoesNotCount) {
  Link link{125e6, 0};
  EXPECT_NEAR(measured(link, 1.0, 0.05) / 125e6, 1, 0.1);
}

// On a busy machine every second message waits for its rank to have a core.
TEST(ProbePlan, WhatIsHeldUpOftenDoesNotCountEither) {
  for (const double bandwidth : {12.5e6, 125e6, 1.25e9}) {
    Link link{bandwidth, 0};
    ProbePlan plan(1.0, latency);
    while (const std::size_t bytes = plan.next_bytes()) {
      const double held_up = link.messages % 2 == 1 ? 0 : 1e-3 * link.messages;
      const double seconds = link.seconds(bytes) + held_up;
      plan.count(seconds, seconds);
    }
    EXPECT_NEAR(plan.bandwidth() / bandwidth, 1, 0.1) << bandwidth;
  }
}

TEST(ProbePlan, EndsThoughNothingAgrees) {
  ProbePlan plan(1e9, latency);
  int rounds = 0;
  for (; plan.next_bytes() > 0; ++rounds) {
    const double seconds = rounds % 2 == 0 ? 1e-3 : 1e-2;
    plan.count(seconds, seconds);
  }
  EXPECT_LE(rounds, 20);
  EXPECT_GT(plan.bandwidth(), 0);
}

// All ranks send alike, each has what it saw itself.
TEST(ProbePlan, DecidesByTheSlowestAndTellsItsOwn) {
  ProbePlan plan(1.0, latency);
  Link slow{12.5e6, 0};
  while (const std::size_t bytes = plan.next_bytes()) {
    plan.count(slow.seconds(bytes), latency + static_cast<double>(bytes) / 125e6);
  }
  EXPECT_NEAR(plan.bandwidth() / 125e6, 1, 0.1);
}

}  // namespace
}  // namespace tightwire::audit
