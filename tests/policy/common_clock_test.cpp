#include "policy/tuning/common_clock.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace tightwire::policy {
namespace {

// Two clocks that nobody else knows: the own one shows true time, the other is ahead and runs
// apart.
struct Clocks {
  double ahead = 0;
  double drift = 0;
  std::mt19937 random{7};

  [[nodiscard]] double other(double time) const { return time + ahead + drift * time; }

  // Each way takes 10 us, and now and then much longer.
  ClockOffset look(double time) {
    std::array<ClockExchange, 8> exchanges{};
    std::exponential_distribution<double> held_up(1 / 20e-6);
    for (ClockExchange& one : exchanges) {
      one.asked = time;
      const double arrived = time + 10e-6 + held_up(random);
      one.answered = other(arrived);
      one.heard = arrived + 10e-6 + held_up(random);
      time = one.heard;
    }
    return offset_by(exchanges);
  }
};

TEST(CommonClock, IsTheOwnOneBeforeItIsAligned) {
  const CommonClock clock;
  EXPECT_EQ(clock.at(12.5), 12.5);
  EXPECT_TRUE(clock.is_due(12.5));
}

TEST(CommonClock, TakesTheExchangeThatWasHeldUpLeast) {
  const std::array exchanges{ClockExchange{0, 5, 1}, ClockExchange{1, 101.1, 1.2},
                             ClockExchange{2, 104, 3}};
  const ClockOffset offset = offset_by(exchanges);
  EXPECT_NEAR(offset.ahead, 100, 1e-9);
  EXPECT_NEAR(offset.one_way, 0.1, 1e-9);
}

// However unlike the two ways were.
TEST(CommonClock, OneClockOfTwoProcessesIsOne) {
  const std::array exchanges{ClockExchange{10, 10.9, 11}, ClockExchange{11, 11.002, 12}};
  EXPECT_EQ(offset_by(exchanges).ahead, 0);
}

TEST(CommonClock, TellsWhatTheOtherOneShows) {
  for (const double ahead : {0.0, 1e-3, -5e4, 3e8}) {
    Clocks clocks{ahead, 0};
    CommonClock clock;
    clock.align(clocks.look(100));
    EXPECT_FALSE(clock.is_due(100.4));
    EXPECT_NEAR(clock.at(105), clocks.other(105), 20e-6) << ahead;
  }
}

TEST(CommonClock, FollowsAClockThatRunsApart) {
  Clocks clocks{-7, 80e-6};
  CommonClock clock;
  double time = 100;
  clock.align(clocks.look(time));
  EXPECT_TRUE(clock.is_due(time + 10));
  time += 10;
  clock.align(clocks.look(time));
  // Without its drift it would be wrong by 400 us.
  EXPECT_NEAR(clock.at(time + 5), clocks.other(time + 5), 40e-6);
}

TEST(CommonClock, ForgetsItsDriftWhereAClockWasSet) {
  Clocks clocks{0, 0};
  CommonClock clock;
  clock.align(clocks.look(100));
  clocks.ahead = 3600;
  clock.align(clocks.look(110));
  EXPECT_NEAR(clock.at(115), clocks.other(115), 20e-6);
}

}  // namespace
}  // namespace tightwire::policy
