#include "history/sent_channels.h"

#include <gtest/gtest.h>

#include "fields.h"
#include "history/received_channels.h"

namespace tightwire::history {
namespace {

using codec::ElementType;

constexpr std::size_t message_bytes = field_values * sizeof(double);
const SentChannels::Key key{1, nullptr, 7, ElementType::float64};

// Sends and receives a message; how many it was predicted from.
std::size_t exchange(SentChannels& channels, ReceivedChannels& receiver,
                     const SentChannels::Key& to, std::span<const std::byte> values) {
  SentChannel* channel = channels.channel(to, values.size());
  if (channel == nullptr) return 0;
  const OfferedReferences offered = channel->look(to.type, values, {});
  if (!offered.to_keep) {
    channel->pass(values, offered);
    return 0;
  }
  const auto block = channel->send(values, offered, offered.size);
  channels.learn(to, *channel, offered.size > 0);
  EXPECT_TRUE(receiver.references(0, block, values.size()));
  channels.answered(receiver.keep(0, block, values));
  return offered.size;
}

TEST(SentChannels, WhatOneHasLearnedIsTriedAtOnceWithAnotherSize) {
  Budget memory(64 * message_bytes);
  Budget received(64 * message_bytes);
  SentChannels channels(memory);
  ReceivedChannels receiver(received);
  for (int step = 0; step < 30; ++step) {
    (void)exchange(channels, receiver, key, bytes_of(field_at(step)));
  }
  const auto shorter = [](int step) {
    auto values = field_at(step);
    values.resize(field_values - 100);
    return values;
  };
  EXPECT_EQ(exchange(channels, receiver, key, bytes_of(shorter(30))), 0U);
  EXPECT_GE(exchange(channels, receiver, key, bytes_of(shorter(31))), 1U);
}

TEST(SentChannels, TagsThatNeverComeAgainCostNothingInTheEnd) {
  Budget memory(1024 * message_bytes);
  SentChannels channels(memory);
  const auto values = noise(1);
  int with_channel = 0;
  for (int tag = 0; tag < 900; ++tag) {
    SentChannels::Key other = key;
    other.tag = tag;
    SentChannel* channel = channels.channel(other, message_bytes);
    if (channel == nullptr) continue;
    ++with_channel;
    channel->pass(bytes_of(values), channel->look(key.type, bytes_of(values), {}));
  }
  EXPECT_LE(with_channel, 40);
}

TEST(SentChannels, TheLongestIdleGivesItsMemoryBack) {
  Budget memory(24 * message_bytes);
  Budget received(1000 * message_bytes);
  SentChannels channels(memory);
  ReceivedChannels receiver(received);
  for (int tag = 0; tag < 12; ++tag) {
    SentChannels::Key other = key;
    other.tag = tag;
    std::size_t predicted = 0;
    for (int step = 0; step < 30; ++step) {
      predicted = exchange(channels, receiver, other, bytes_of(field_at(step, tag)));
    }
    EXPECT_GE(predicted, 1U) << tag;
  }
  const auto forgotten = channels.to_be_forgotten();
  EXPECT_GE(forgotten.size(), 6U);
  for (const auto& [peer, channel] : forgotten) receiver.forget(0, channel);
  EXPECT_LE(received.held(), 24 * message_bytes);
  EXPECT_TRUE(channels.to_be_forgotten().empty());
}

TEST(SentChannels, ThoseThatNeverFindTheirMessagesAgainPause) {
  Budget memory(16 * message_bytes);
  Budget received(16 * message_bytes);
  SentChannels channels(memory);
  ReceivedChannels receiver(received);
  constexpr int tags = 40;
  int looked_at = 0;
  for (int round = 0; round < 20; ++round) {
    for (int tag = 0; tag < tags; ++tag) {
      SentChannels::Key other = key;
      other.tag = tag;
      SentChannel* channel = channels.channel(other, message_bytes);
      if (channel == nullptr || channel->skips()) continue;
      ++looked_at;
      (void)exchange(channels, receiver, other, bytes_of(field_at(round)));
    }
  }
  EXPECT_LT(looked_at, 10 * tags);
}

TEST(SentChannels, WhatCanNeverBeKeptTakesNothingFromOthers) {
  Budget memory(16 * message_bytes);
  Budget received(64 * message_bytes);
  SentChannels channels(memory);
  ReceivedChannels receiver(received);
  const std::vector<double> huge(20 * field_values, 1.5);
  SentChannels::Key other = key;
  other.tag = 9;
  std::size_t predicted = 0;
  for (int step = 0; step < 60; ++step) {
    predicted += exchange(channels, receiver, key, bytes_of(field_at(step))) > 0 ? 1 : 0;
    (void)exchange(channels, receiver, other, bytes_of(huge));
  }
  EXPECT_GE(predicted, 50U);
}

TEST(SentChannels, AreBoundedInNumber) {
  Budget memory(std::size_t{1} << 30);
  Budget received(std::size_t{1} << 30);
  SentChannels channels(memory);
  ReceivedChannels receiver(received);
  std::vector<std::vector<double>> fields;
  for (int step = 0; step < 4; ++step) fields.push_back(field_at(step));
  // Each is of use, so that the next is welcome.
  for (std::size_t cut = 0; cut < 1200; ++cut) {
    for (const auto& field : fields) {
      (void)exchange(channels, receiver, key, bytes_of(field).first(8 * (512 + cut)));
    }
    for (const auto& [peer, channel] : channels.to_be_forgotten()) receiver.forget(0, channel);
  }
  EXPECT_LE(memory.held(), std::size_t{1024} * 5 * 8 * (512 + 1200));
  EXPECT_NE(channels.channel(key, message_bytes), nullptr);
}

}  // namespace
}  // namespace tightwire::history
