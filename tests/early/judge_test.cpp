#include "early/judge.h"

#include <gtest/gtest.h>

namespace tightwire::early {
namespace {

constexpr Outcome gain{1e-3, 1e-4};
constexpr Outcome loss{0, 1e-4};

unsigned sends_until_given_up(Judge& judge, const Outcome& outcome) {
  for (unsigned sends = 1; sends < 1000; ++sends) {
    if (!judge.goes_on(outcome, false)) return sends;
  }
  return 0;
}

unsigned rest(Judge& judge) {
  unsigned sends = 0;
  for (; !judge.wants_tracking(); ++sends) judge.note_untracked();
  return sends;
}

TEST(Judge, GoesOnWhileItPays) {
  Judge judge(false);
  EXPECT_EQ(sends_until_given_up(judge, gain), 0U);
}

TEST(Judge, ARestFollowsALossAndGrows) {
  Judge judge(false);
  EXPECT_TRUE(judge.wants_tracking());
  EXPECT_EQ(sends_until_given_up(judge, loss), 3U);
  const unsigned first = rest(judge);
  EXPECT_GT(first, 0U);
  EXPECT_EQ(sends_until_given_up(judge, loss), 3U);
  EXPECT_GT(rest(judge), first);
}

TEST(Judge, ATryTakesLongerWhileHelpMayCome) {
  Judge judge(false);
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(judge.goes_on(loss, true));
  EXPECT_FALSE(judge.goes_on(loss, false));
  unsigned sends = 1;
  while (judge.goes_on(loss, true)) ASSERT_LT(++sends, 100U);
  EXPECT_GT(sends, 6U);
}

TEST(Judge, RemembersWhetherAnythingWasHidden) {
  Judge judge(false);
  sends_until_given_up(judge, loss);
  EXPECT_FALSE(judge.hid_anything());
  sends_until_given_up(judge, {1e-6, 1e-4});
  EXPECT_TRUE(judge.hid_anything());
  sends_until_given_up(judge, loss);
  EXPECT_FALSE(judge.hid_anything());
}

TEST(Judge, GivesUpWhatStopsPaying) {
  Judge judge(false);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(judge.goes_on(gain, false));
  EXPECT_GT(sends_until_given_up(judge, loss), 0U);
}

TEST(Judge, NeverGivesUpWhereItIsToldNotTo) {
  Judge judge(true);
  EXPECT_EQ(sends_until_given_up(judge, loss), 0U);
}

}  // namespace
}  // namespace tightwire::early
