#include "policy/tuning/backoff.h"

#include <gtest/gtest.h>

#include <array>

namespace tightwire::policy {
namespace {

// How many of `calls` are taken apart, where two ranks gain or do not.
int taken_apart(std::array<Backoff, 2>& ranks, int calls, std::array<bool, 2> gain) {
  int taken = 0;
  for (int call = 0; call < calls; ++call) {
    EXPECT_EQ(ranks[0].round_due(), ranks[1].round_due());
    if (ranks[0].round_due()) {
      const bool any = ranks[0].has_gained() || ranks[1].has_gained();
      for (Backoff& rank : ranks) rank.end_round(any);
    }
    const std::array here{ranks[0].begin_call(), ranks[1].begin_call()};
    EXPECT_EQ(here[0], here[1]);
    if (!here[0]) continue;
    ++taken;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      ranks[i].note(1000, gain[i] ? 500 : 1040);
    }
  }
  return taken;
}

TEST(Backoff, CallsThatGainAreAllTakenApart) {
  std::array<Backoff, 2> ranks;
  EXPECT_EQ(taken_apart(ranks, 5000, {true, true}), 5000);
}

TEST(Backoff, TellsTheLastCallsBeforeATrial) {
  Backoff backoff;
  while (!backoff.round_due()) EXPECT_TRUE(backoff.begin_call());
  EXPECT_FALSE(backoff.is_before_trial());
  backoff.end_round(false);
  int last = 0;
  while (!backoff.begin_call()) {
    last += backoff.is_before_trial() ? 1 : 0;
    EXPECT_TRUE(last == 0 || backoff.is_before_trial());
  }
  EXPECT_EQ(last, 4);
  EXPECT_FALSE(backoff.is_before_trial());
}

TEST(Backoff, ACallWithoutMessagesGainsNothing) {
  Backoff backoff;
  backoff.note(0, 0);
  EXPECT_FALSE(backoff.has_gained());
  backoff.note(1000, 990);
  EXPECT_FALSE(backoff.has_gained());
  backoff.note(1000, 900);
  backoff.note(1000, 1040);
  EXPECT_TRUE(backoff.has_gained());
}

TEST(Backoff, OneRankThatGainsIsEnough) {
  std::array<Backoff, 2> ranks;
  EXPECT_EQ(taken_apart(ranks, 5000, {false, true}), 5000);
}

TEST(Backoff, CallsThatDoNotAreTriedLessAndLess) {
  std::array<Backoff, 2> ranks;
  EXPECT_EQ(taken_apart(ranks, 2, {false, false}), 2);
  EXPECT_EQ(taken_apart(ranks, 32, {false, false}), 0);
  EXPECT_EQ(taken_apart(ranks, 1 + 64 + 1 + 128, {false, false}), 2);
  EXPECT_LE(taken_apart(ranks, 100000, {false, false}), 100);
}

TEST(Backoff, ATrialThatGainsEndsIt) {
  std::array<Backoff, 2> ranks;
  static_cast<void>(taken_apart(ranks, 5000, {false, false}));
  static_cast<void>(taken_apart(ranks, 1025, {true, false}));
  EXPECT_EQ(taken_apart(ranks, 1000, {true, false}), 1000);
}

TEST(Backoff, DataThatTurnsIsNoticedSoonAndTriedAgainSoon) {
  std::array<Backoff, 2> ranks;
  static_cast<void>(taken_apart(ranks, 5000, {true, true}));
  EXPECT_LE(taken_apart(ranks, 2000, {false, false}), 2 * 256 + 10);
}

// From the twentieth call in a row on messages are predicted from earlier ones.
TEST(Backoff, ATrialIsLongEnoughToLearnFromEarlierMessages) {
  Backoff backoff(true);
  int in_a_row = 0;
  int taken = 0;
  for (int call = 0; call < 1000; ++call) {
    if (backoff.round_due()) backoff.end_round(backoff.has_gained());
    in_a_row = backoff.begin_call() ? in_a_row + 1 : 0;
    if (in_a_row == 0) continue;
    ++taken;
    backoff.note(1000, in_a_row < 20 ? 1040 : 500);
  }
  EXPECT_EQ(taken, 1000);
}

TEST(Backoff, WhereThatTellsNothingTrialsAreFew) {
  std::array<Backoff, 2> ranks{Backoff(true), Backoff(true)};
  EXPECT_LE(taken_apart(ranks, 100000, {false, false}),
            100 + 100 * static_cast<int>(calls_to_learn));
  EXPECT_LE(taken_apart(ranks, 100000, {false, false}), 2500);
}

}  // namespace
}  // namespace tightwire::policy
