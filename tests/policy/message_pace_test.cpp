#include "policy/tuning/messages/message_pace.h"

#include <gtest/gtest.h>

#include <optional>

namespace tightwire::policy {
namespace {

// A program that sends a message every so many seconds.
class Program {
 public:
  void send(int messages, double seconds_each, std::optional<bool> encoded, bool shared = true) {
    for (int i = 0; i < messages; ++i) pace.sent(now_ += seconds_each, shared);
    pace.end_of(encoded);
  }
  MessagePace pace;

 private:
  double now_ = 100;
};

void send_encoded(Program& program, double seconds_each) {
  for (int i = 0; i < 3; ++i) program.send(16, seconds_each, true);
}

void send_unmodified(Program& program, double seconds_each) {
  for (int i = 0; i < 3; ++i) program.send(16, seconds_each, false);
}

TEST(MessagePace, CoresAreShortWhereMostMessagesFindThemShared) {
  Program program;
  EXPECT_FALSE(program.pace.cores_are_short());
  program.send(8, 1e-3, true, false);
  EXPECT_FALSE(program.pace.cores_are_short());
  program.send(8, 1e-3, true, true);
  EXPECT_TRUE(program.pace.cores_are_short());
  program.send(8, 1e-3, true, false);
  EXPECT_FALSE(program.pace.cores_are_short());
}

TEST(MessagePace, EncodingIsQuickerWhereMessagesFollowSooner) {
  Program program;
  send_unmodified(program, 1e-3);
  EXPECT_EQ(program.pace.encoding_is_quicker(), std::nullopt);  // nothing is known of it
  send_encoded(program, 0.9e-3);
  EXPECT_EQ(program.pace.encoding_is_quicker(), true);
}

TEST(MessagePace, EncodingMustBeClearlyQuicker) {
  for (const double seconds : {0.99e-3, 1.5e-3}) {
    Program program;
    send_unmodified(program, 1e-3);
    send_encoded(program, seconds);
    EXPECT_EQ(program.pace.encoding_is_quicker(), false) << seconds;
  }
}

TEST(MessagePace, AFewMessagesShowNothing) {
  Program program;
  send_unmodified(program, 1e-3);
  program.send(8, 0.5e-3, true);
  program.send(8, 0.5e-3, true);
  EXPECT_EQ(program.pace.encoding_is_quicker(), std::nullopt);
}

TEST(MessagePace, OneLongStopIsNoMatter) {
  Program program;
  send_unmodified(program, 1e-3);
  send_encoded(program, 0.9e-3);
  program.send(16, 1, true);
  EXPECT_EQ(program.pace.encoding_is_quicker(), true);
}

TEST(MessagePace, StretchesOfBothKindsDoNotCount) {
  Program program;
  send_unmodified(program, 1e-3);
  for (int i = 0; i < 3; ++i) program.send(16, 0.5e-3, std::nullopt);
  EXPECT_EQ(program.pace.encoding_is_quicker(), std::nullopt);
}

TEST(MessagePace, WhatWasLongAgoIsForgotten) {
  Program program;
  send_unmodified(program, 1e-3);
  send_encoded(program, 0.5e-3);
  for (int i = 0; i < 8; ++i) program.send(16, 2e-3, true);
  EXPECT_EQ(program.pace.encoding_is_quicker(), false);
}

}  // namespace
}  // namespace tightwire::policy
