#include "policy/tuning/call_rates.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tightwire::policy {
namespace {

// Two ranks; the second one's clock is ahead of the first one's, which is the common one.
class TwoRanks : public testing::Test {
 protected:
  static constexpr double ahead = 1000;

  TwoRanks() {
    clocks_[0].align({0, 0, 0});
    clocks_[1].align({0, -ahead, 0});
  }

  // Seconds on the common clock.
  void call(std::array<double, 2> begins, double end, std::array<std::size_t, 2> arrived) {
    for (std::size_t i = 0; i < 2; ++i) {
      const double own = i == 1 ? ahead : 0;
      ranks_[i].begin_call(begins[i] + own);
      ranks_[i].end_call(end + own, arrived[i]);
    }
  }

  std::array<double, CallRates::numbers> told() {
    auto numbers = ranks_[0].told(clocks_[0]);
    const auto other = ranks_[1].told(clocks_[1]);
    std::ranges::transform(numbers, other, numbers.begin(),
                           [](double a, double b) { return std::max(a, b); });
    return numbers;
  }
  std::optional<double> agreed(double latency = 0) { return CallRates::rate(told(), latency); }

  std::array<CommonClock, 2> clocks_;
  std::array<CallRates, 2> ranks_;
};

TEST_F(TwoRanks, TheRankThatGetsTheMostSpeaks) {
  call({0, 0}, 0.5, {1 << 20, 1 << 10});
  EXPECT_NEAR(agreed().value(), 2 << 20, 1);
}

TEST_F(TwoRanks, WaitingForALateOneIsNotTheNetworks) {
  call({0, 9}, 9.5, {1 << 20, 1 << 20});
  EXPECT_NEAR(agreed().value(), 2 << 20, 1);
}

TEST_F(TwoRanks, OneCallThatWasHeldUpChangesNothing) {
  for (int i = 0; i < 3; ++i) call({10.0 * i, 10.0 * i}, 10.0 * i + 0.5, {1 << 20, 1 << 20});
  call({40, 40}, 49, {1 << 20, 1 << 20});
  EXPECT_NEAR(agreed().value(), 2 << 20, 1);
}

TEST_F(TwoRanks, TheLastCallsCount) {
  for (int i = 0; i < 9; ++i) call({10.0 * i, 10.0 * i}, 10.0 * i + 0.1, {1 << 20, 1 << 20});
  for (int i = 9; i < 13; ++i) call({10.0 * i, 10.0 * i}, 10.0 * i + 1, {1 << 20, 1 << 20});
  EXPECT_NEAR(agreed().value(), 1 << 20, 1);
}

TEST_F(TwoRanks, ACallThatOneOfThemDidNotEndGoesByTheOther) {
  ranks_[0].begin_call(5);
  ranks_[1].begin_call(5 + ahead);
  ranks_[1].end_call(5.5 + ahead, 1 << 20);
  EXPECT_NEAR(agreed().value(), 2 << 20, 1);
}

TEST_F(TwoRanks, FewBytesTellNothing) {
  call({0, 0}, 0.5, {1 << 10, 0});
  EXPECT_EQ(agreed(), std::nullopt);
  call({1, 1}, 1.5, {1 << 20, 0});
  EXPECT_NE(agreed(), std::nullopt);
  for (CallRates& rank : ranks_) rank.clear();
  EXPECT_EQ(agreed(), std::nullopt);
}

// 64 KiB take 5 microseconds at 100 Gbit/s, and the latency of 20.
TEST_F(TwoRanks, TheSumIsOfCallsThatTellMoreThanLatency) {
  call({0, 0}, 0.5, {1 << 20, 1 << 10});
  call({1, 1}, 3, {1 << 19, 1 << 21});
  call({4, 4}, 5, {1 << 10, 1 << 10});
  const CallRates::Sum sum = CallRates::sum(told());
  EXPECT_EQ(sum.calls, 2U);
  EXPECT_NEAR(sum.seconds, 2.5, 1e-6);
  EXPECT_EQ(sum.bytes, 3 << 20);
  EXPECT_EQ(CallRates::sum(told(), 0.3).calls, 1U);
}

TEST_F(TwoRanks, LatencyIsNotTakenForASlowLink) {
  for (int i = 0; i < 3; ++i) call({1.0 * i, 1.0 * i}, 1.0 * i + 25e-6, {64 << 10, 64 << 10});
  EXPECT_NE(agreed(), std::nullopt);
  EXPECT_EQ(agreed(20e-6), std::nullopt);
  call({5, 5}, 5 + 1.36e-3, {16 << 20, 16 << 20});
  EXPECT_NEAR(agreed(20e-6).value() * 8e-9, 100, 5);
}

TEST_F(TwoRanks, ClocksThatWereNotAlignedTellNothing) {
  call({0, 0}, 0.5, {1 << 20, 1 << 20});
  clocks_ = {};
  EXPECT_EQ(agreed(), std::nullopt);
}

}  // namespace
}  // namespace tightwire::policy
