#include "policy/tuning/messages/unframed_messages.h"

#include <gtest/gtest.h>

#include <vector>

namespace tightwire::policy {
namespace {

constexpr MessageKind kind{Operation::alltoall, 3, 1 << 20, 0};

// Of so many messages that gain nothing whenever they are looked at: how many go as they are
// between two looks.
std::vector<int> told_between_looks(UnframedMessages& messages, int count) {
  std::vector<int> told;
  for (int i = 0; i < count; ++i) {
    if (messages.begin_told(kind)) {
      ++told.back();
    } else {
      messages.looked_at(kind, true);
      told.push_back(0);
    }
  }
  return told;
}

TEST(UnframedMessages, AreLookedAtMoreAndMoreSeldom) {
  UnframedMessages messages;
  EXPECT_EQ(told_between_looks(messages, 1 + 2 + 3 + 5 + 9 + 17 + 33 + 65 + 65),
            (std::vector{1, 2, 4, 8, 16, 32, 64, 64, 0}));
}

TEST(UnframedMessages, OneThatGainsIsFollowedByLooks) {
  UnframedMessages messages;
  static_cast<void>(told_between_looks(messages, 5));
  ASSERT_FALSE(messages.begin_told(kind));
  messages.looked_at(kind, false);
  for (int looks = 0; looks < 2; ++looks) {
    EXPECT_FALSE(messages.begin_told(kind));
    messages.looked_at(kind, true);
  }
  EXPECT_TRUE(messages.begin_told(kind));
  EXPECT_FALSE(messages.begin_told(kind));
}

// Of fields that take turns, one in `period` gains nothing: how many of the others go in frames.
int framed_of_those_that_gain(int period, int count) {
  UnframedMessages messages;
  int framed = 0;
  for (int i = 0; i < count; ++i) {
    const bool gains = i % period != 0;
    if (messages.begin_told(kind)) continue;
    messages.looked_at(kind, !gains);
    framed += gains ? 1 : 0;
  }
  return framed;
}

TEST(UnframedMessages, FieldsThatTakeTurnsAreAllLookedAt) {
  EXPECT_GE(framed_of_those_that_gain(2, 1000), 500 - 5);
  EXPECT_GE(framed_of_those_that_gain(5, 1000), 800 - 5);
}

TEST(UnframedMessages, WhatGainsNoLongerGoesAsItIsAfterSomeLooks) {
  UnframedMessages messages;
  for (int i = 0; i < 1000; ++i) {
    if (!messages.begin_told(kind)) messages.looked_at(kind, i % 2 == 0);
  }
  for (int looks = 0; looks < 64; ++looks) {
    EXPECT_FALSE(messages.begin_told(kind));
    messages.looked_at(kind, true);
  }
  EXPECT_TRUE(messages.begin_told(kind));
}

// What is told with each message holds for the next one.
TEST(UnframedMessages, TheReceiverKnowsWhatTheSenderDoes) {
  UnframedMessages sender;
  UnframedMessages receiver;
  for (int i = 0; i < 300; ++i) {
    const bool is_told = sender.begin_told(kind);
    ASSERT_EQ(receiver.expected(kind) == NextMessage::unframed, is_told) << i;
    if (!is_told) sender.looked_at(kind, i % 7 != 0);
    receiver.expect(kind,
                    sender.is_next_told(kind) ? NextMessage::unframed : NextMessage::in_frames);
  }
}

// A message that goes in frames by a codec that promises a gain.
void encode(UnframedMessages& messages, bool first_gains_nothing, bool gains_nothing) {
  messages.begins(kind, first_gains_nothing);
  messages.came_to(kind, gains_nothing);
}

// Of so many, of which each comes to nothing: how many go in frames.
TEST(UnframedMessages, AfterTwoPromisesInVainTheNextGoesAsItIs) {
  UnframedMessages messages;
  std::vector<bool> told;
  for (int i = 0; i < 12; ++i) {
    told.push_back(messages.begin_told(kind));
    if (!told.back()) encode(messages, true, true);
  }
  EXPECT_EQ(told, (std::vector{false, false, true, false, true, true, false, true, true, true, true,
                               false}));
}

TEST(UnframedMessages, APromiseThatIsKeptTellsNothing) {
  UnframedMessages messages;
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(messages.begin_told(kind));
    encode(messages, i % 3 == 0, false);
  }
}

// The frame in which it could be told shows a gain again.
TEST(UnframedMessages, AFirstFrameThatGainsTellsNothing) {
  UnframedMessages messages;
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(messages.begin_told(kind));
    encode(messages, false, true);
  }
}

// The receiver has read it in the first frame.
TEST(UnframedMessages, WhatIsToldStaysThoughTheRestGains) {
  UnframedMessages messages;
  encode(messages, true, true);
  messages.begins(kind, true);
  ASSERT_TRUE(messages.is_next_told(kind));
  messages.came_to(kind, false);
  EXPECT_TRUE(messages.begin_told(kind));
  EXPECT_FALSE(messages.begin_told(kind));
}

// Of fields that take turns, one in two comes to nothing.
TEST(UnframedMessages, PromisesThatAreKeptInTurnsAreAllLookedAt) {
  UnframedMessages messages;
  int encoded = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool gains_nothing = i % 2 == 0;
    if (messages.begin_told(kind)) continue;
    encode(messages, gains_nothing, gains_nothing);
    encoded += gains_nothing ? 0 : 1;
  }
  EXPECT_EQ(encoded, 500);
}

TEST(UnframedMessages, KindsAreApart) {
  UnframedMessages messages;
  messages.looked_at(kind, true);
  messages.expect(kind, NextMessage::unframed);
  for (const MessageKind& other : {MessageKind{Operation::gather, 3, 1 << 20, 0},
                                   MessageKind{Operation::alltoall, 2, 1 << 20, 0},
                                   MessageKind{Operation::alltoall, 3, 1 << 19, 0},
                                   MessageKind{Operation::alltoall, 3, 1 << 20, 1}}) {
    EXPECT_FALSE(messages.begin_told(other));
    EXPECT_EQ(messages.expected(other), NextMessage::in_frames);
  }
  EXPECT_TRUE(messages.begin_told(kind));
}

TEST(UnframedMessages, OfTooManyKindsEachMessageIsLookedAt) {
  UnframedMessages messages;
  for (std::size_t bytes = 0; bytes < 5000; ++bytes) {
    messages.looked_at({Operation::alltoall, 1, bytes, 0}, true);
  }
  EXPECT_TRUE(messages.is_next_told({Operation::alltoall, 1, 4095, 0}));
  EXPECT_FALSE(messages.is_next_told({Operation::alltoall, 1, 4096, 0}));
}

}  // namespace
}  // namespace tightwire::policy
