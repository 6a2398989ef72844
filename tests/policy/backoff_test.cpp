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
      for (Backoff& rank : ranks) rank.end_round({any, {}, {}});
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
  backoff.end_round({});
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
    if (backoff.round_due()) backoff.end_round({backoff.has_gained(), {}, {}});
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

CallRates::Sum calls_of(double bytes, double seconds) {
  return {4, 4 * bytes, 4 * seconds};
}

// How many of `calls` are compressed, where plain and compressed ones of so many bytes take so
// long.
int compressed_of(Backoff& backoff, int calls, double bytes, double plain, double compressed) {
  int taken = 0;
  bool any_plain = false;
  for (int call = 0; call < calls; ++call) {
    if (backoff.round_due()) {
      backoff.end_round({backoff.has_gained(), calls_of(bytes, compressed),
                         any_plain ? calls_of(bytes, plain) : CallRates::Sum{}});
      any_plain = false;
    }
    if (backoff.begin_call()) {
      ++taken;
      backoff.note(1000, 500);
    } else {
      any_plain = any_plain || backoff.is_before_trial();
    }
  }
  return taken;
}

TEST(Backoff, CallsThatShrinkAndTakeLongerAreLeftToMpi) {
  Backoff backoff(false, true);
  EXPECT_LE(compressed_of(backoff, 10000, 1e6, 1.0, 1.1), 200);
  EXPECT_EQ(backoff.why_plain(), Reason::too_slow);
}

TEST(Backoff, WhatIsClearlyQuickerIsMeasuredOnce) {
  Backoff backoff(false, true);
  EXPECT_EQ(compressed_of(backoff, 10000, 1e6, 1.0, 0.5), 10000 - 4);
}

TEST(Backoff, WhatIsHardlyQuickerIsMeasuredAgain) {
  Backoff backoff(false, true);
  const int plain = 5000 - compressed_of(backoff, 5000, 1e6, 1.0, 0.9);
  EXPECT_GT(plain, 4);
  EXPECT_LE(plain, 150);
}

TEST(Backoff, WhatTurnsSlowerIsNoticed) {
  Backoff backoff(false, true);
  static_cast<void>(compressed_of(backoff, 5000, 1e6, 1.0, 0.5));
  EXPECT_LE(compressed_of(backoff, 5000, 1e6, 1.0, 1.5), 500);
}

// The plain calls that were measured brought more.
TEST(Backoff, OtherAmountsAreNotCompared) {
  Backoff backoff(false, true);
  static_cast<void>(compressed_of(backoff, 5000, 1e6, 1.0, 0.5));
  backoff.note(1000, 500);
  backoff.end_round({true, calls_of(1e5, 1.0), {}});
  EXPECT_FALSE(backoff.why_plain() == Reason::too_slow);
}

TEST(Backoff, WhereTimesTellNothingBytesDo) {
  Backoff backoff(false, true);
  int taken = 0;
  for (int call = 0; call < 1000; ++call) {
    if (backoff.round_due()) backoff.end_round({backoff.has_gained(), {}, {}});
    if (!backoff.begin_call()) continue;
    ++taken;
    backoff.note(1000, 500);
  }
  EXPECT_GE(taken, 1000 - 6 * 4);
}

// Calls that wait for nobody go by whether compressing has gained.
TEST(Backoff, APauseToCompareIsNoneForOthers) {
  Backoff backoff(false, true);
  while (!backoff.round_due()) {
    EXPECT_TRUE(backoff.begin_call());
    backoff.note(1000, 500);
  }
  backoff.end_round({true, {}, {}});
  EXPECT_FALSE(backoff.begin_call());
  EXPECT_FALSE(backoff.is_paused());
  EXPECT_EQ(backoff.why_plain(), Reason::measuring);
  while (!backoff.begin_call()) EXPECT_FALSE(backoff.is_paused());
  while (!backoff.round_due()) static_cast<void>(backoff.begin_call());
  backoff.end_round({true, calls_of(1e6, 2), calls_of(1e6, 1)});
  EXPECT_TRUE(backoff.is_paused());
}

TEST(Backoff, BeginsWithThePauseOfAnEarlierRun) {
  std::array<Backoff, 2> ranks;
  EXPECT_EQ(ranks[0].experience().pause, 0);
  EXPECT_LT(taken_apart(ranks, 500, {false, false}), 20);
  const Backoff::Experience learned = ranks[0].experience();
  EXPECT_GT(learned.pause, 100);
  EXPECT_TRUE(ranks[0].is_seen_to_pause());
  std::array<Backoff, 2> later;
  for (Backoff& rank : later) rank.begin_with(learned);
  EXPECT_TRUE(later[0].is_paused());
  EXPECT_FALSE(later[0].is_seen_to_pause());
  EXPECT_EQ(taken_apart(later, static_cast<int>(learned.pause), {false, false}), 0);
  EXPECT_EQ(taken_apart(later, 500, {true, true}), 500);
}

}  // namespace
}  // namespace tightwire::policy
