#include "policy/short_calls.h"

#include <gtest/gtest.h>

#include "policy/choose.h"

namespace tightwire::policy {
namespace {

constexpr std::size_t kib = 1024;

settings::Settings adaptive() {
  settings::Settings settings;
  settings.mode = settings::Mode::adaptive;
  return settings;
}

// How many calls go by until the look that is due next.
std::size_t calls_to_look(ShortCalls& calls) {
  std::size_t count = 0;
  for (; !calls.look_due(); ++count) calls.count_call();
  return count;
}

TEST(ShortCalls, AreLookedAtMoreSeldomEachTime) {
  ShortCalls calls;
  EXPECT_EQ(calls_to_look(calls), 8U);
  std::size_t last = 32;
  for (int look = 0; look < 10; ++look) {
    const std::size_t pause = calls.end_look(false, 1e-5);
    EXPECT_FALSE(calls.are_worth_it());
    EXPECT_EQ(pause, std::min<std::size_t>(2 * last, 4096));
    EXPECT_EQ(calls_to_look(calls), 8U);
    last = pause;
  }
}

TEST(ShortCalls, OnlyThoseRightBeforeALookAreTimed) {
  ShortCalls calls;
  calls_to_look(calls);
  calls.skip(calls.end_look(false, 1e-5));
  std::size_t timed = 0;
  std::size_t untimed = 0;
  for (; !calls.look_due(); calls.count_call()) ++(calls.is_timed() ? timed : untimed);
  EXPECT_EQ(timed, 8U);
  EXPECT_EQ(untimed, 64U);
}

TEST(ShortCalls, AreWorthItOnceTheyTakeLong) {
  ShortCalls calls;
  calls_to_look(calls);
  calls.end_look(true, 10e-3);
  EXPECT_TRUE(calls.are_worth_it());
}

TEST(ShortCalls, AreWorthItOnceAllOfThemTookLong) {
  ShortCalls calls;
  calls_to_look(calls);
  calls.end_look(true, 1e-3);
  EXPECT_FALSE(calls.are_worth_it());
  EXPECT_EQ(calls_to_look(calls), 42U);
  EXPECT_TRUE(calls.are_worth_it());
}

TEST(ShortCalls, ThoseThatTheRanksLeftAloneCount) {
  ShortCalls calls;
  calls_to_look(calls);
  calls.skip(calls.end_look(false, 1e-3));
  calls_to_look(calls);
  calls.end_look(true, 1e-3);
  EXPECT_TRUE(calls.are_worth_it());
}

TEST(ShortCalls, WaitForSoManyOthersAtMost) {
  ShortCalls calls;
  std::size_t count = calls_to_look(calls);
  while (!calls.are_worth_it()) {
    calls.end_look(true, 1e-9);
    count += calls_to_look(calls);
  }
  EXPECT_EQ(count, 4096U);
}

// A shaper lets the first ones pass, or they end in buffers.
TEST(ShortCalls, AreLookedAtAgainWhileTheyWait) {
  ShortCalls calls(2);
  EXPECT_EQ(calls_to_look(calls), 2U);
  calls.end_look(true, 0.1e-3);
  EXPECT_EQ(calls_to_look(calls), 14U);
  EXPECT_FALSE(calls.are_worth_it());
  calls.end_look(true, 10e-3);
  EXPECT_TRUE(calls.are_worth_it());
}

class MayGain : public testing::TestWithParam<Operation> {
 protected:
  [[nodiscard]] static bool on(Network network, double raw_seconds) {
    const settings::Settings settings = adaptive();
    const Operation operation = GetParam();
    const Plan plan = choose(settings, {operation, 16 * kib, true, false, true});
    EXPECT_EQ(plan.tier, Tier::exact);
    return may_gain(settings, plan, codec::ElementType::float32,
                    {operation, 16 * kib, 4, network, 1}, raw_seconds);
  }
};

TEST_P(MayGain, WhereTheLinkIsSlow) {
  const Network slow{20e-6, 125e6};
  EXPECT_TRUE(on(slow, raw_seconds({GetParam(), 16 * kib, 4, slow, 1})));
  EXPECT_TRUE(on({}, 300e-6));
}

TEST_P(MayGain, NotWhereItIsFast) {
  const Network fast{2e-6, 12.5e9};
  EXPECT_FALSE(on(fast, raw_seconds({GetParam(), 16 * kib, 4, fast, 1})));
  EXPECT_FALSE(on({}, 10e-6));
}

INSTANTIATE_TEST_SUITE_P(Operations, MayGain,
                         testing::Values(Operation::bcast, Operation::allgather,
                                         Operation::alltoall, Operation::scatter));

TEST(Short, AreCallsThatOnlyTimesMakeWorthATry) {
  const settings::Settings settings = adaptive();
  const auto is = [&](std::size_t bytes, bool is_timed) {
    return is_short(settings, {Operation::bcast, bytes, true, false, is_timed});
  };
  EXPECT_TRUE(is(16 * kib, true));
  EXPECT_FALSE(is(16 * kib, false));
  EXPECT_FALSE(is(64 * kib, true));
}

}  // namespace
}  // namespace tightwire::policy
