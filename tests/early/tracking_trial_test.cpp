#include "early/tracking_trial.h"

#include <gtest/gtest.h>

namespace tightwire::early {
namespace {

constexpr Outcome gain{1e-3, 1e-4};
constexpr Outcome loss{0, 1e-4};

unsigned sends_until_given_up(TrackingTrial& trial, const Outcome& outcome) {
  for (unsigned sends = 1; sends < 1000; ++sends) {
    if (!trial.goes_on(outcome, false)) return sends;
  }
  return 0;
}

unsigned rest(TrackingTrial& trial) {
  unsigned sends = 0;
  for (; !trial.wants_tracking(); ++sends) trial.note_untracked();
  return sends;
}

TEST(TrackingTrial, GoesOnWhileItPays) {
  TrackingTrial trial(false);
  EXPECT_EQ(sends_until_given_up(trial, gain), 0U);
}

TEST(TrackingTrial, ARestFollowsALossAndGrows) {
  TrackingTrial trial(false);
  EXPECT_TRUE(trial.wants_tracking());
  EXPECT_EQ(sends_until_given_up(trial, loss), 3U);
  const unsigned first = rest(trial);
  EXPECT_GT(first, 0U);
  EXPECT_EQ(sends_until_given_up(trial, loss), 3U);
  EXPECT_GT(rest(trial), first);
}

TEST(TrackingTrial, ATryTakesLongerWhileHelpMayCome) {
  TrackingTrial trial(false);
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(trial.goes_on(loss, true));
  EXPECT_FALSE(trial.goes_on(loss, false));
  unsigned sends = 1;
  while (trial.goes_on(loss, true)) ASSERT_LT(++sends, 100U);
  EXPECT_GT(sends, 6U);
}

TEST(TrackingTrial, RemembersWhetherAnythingWasHidden) {
  TrackingTrial trial(false);
  sends_until_given_up(trial, loss);
  EXPECT_FALSE(trial.hid_anything());
  sends_until_given_up(trial, {1e-6, 1e-4});
  EXPECT_TRUE(trial.hid_anything());
  sends_until_given_up(trial, loss);
  EXPECT_FALSE(trial.hid_anything());
}

TEST(TrackingTrial, GivesUpWhatStopsPaying) {
  TrackingTrial trial(false);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(trial.goes_on(gain, false));
  EXPECT_GT(sends_until_given_up(trial, loss), 0U);
}

TEST(TrackingTrial, NeverGivesUpWhereItIsToldNotTo) {
  TrackingTrial trial(true);
  EXPECT_EQ(sends_until_given_up(trial, loss), 0U);
}

}  // namespace
}  // namespace tightwire::early
