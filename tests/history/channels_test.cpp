// A sender's channel and its receiver, with what they tell each other delivered when the test says.
#include <gtest/gtest.h>

#include <deque>

#include "fields.h"
#include "history/received_channels.h"
#include "history/sent_channel.h"

namespace tightwire::history {
namespace {

using codec::ElementType;
using Kind = wire::HistoryAnswer::Kind;

constexpr int sender = 3;
constexpr std::size_t message_bytes = field_values * sizeof(double);

class HistoryChannel : public testing::Test {
 protected:
  struct Sent {
    OfferedReferences offered;
    std::optional<wire::HistoryBlock> block;
  };

  // As p2p sends: predicted where that is possible.
  Sent send(const std::vector<double>& values) {
    Sent sent{channel.look(ElementType::float64, bytes_of(values), {}), std::nullopt};
    if (sent.offered.to_keep) {
      sent.block = channel.send(bytes_of(values), sent.offered, sent.offered.size);
    } else {
      channel.pass(bytes_of(values), sent.offered);
    }
    return sent;
  }

  // What the sender predicted from must be here, and the same.
  void receive(const Sent& sent, const std::vector<double>& values) {
    if (!sent.block) return;
    const auto found = receiver.references(sender, *sent.block, message_bytes);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size, sent.offered.size);
    for (std::size_t k = 0; k < found->size; ++k) {
      EXPECT_TRUE(
          std::ranges::equal(found->copies[k]->bytes(), sent.offered.references[k]->bytes()));
    }
    answers.push_back(receiver.keep(sender, *sent.block, bytes_of(values)));
  }

  void deliver_answers() {
    for (; !answers.empty(); answers.pop_front()) channel.answered(answers.front());
  }

  // All of it, at once.
  Sent exchange(const std::vector<double>& values) {
    const Sent sent = send(values);
    receive(sent, values);
    deliver_answers();
    return sent;
  }

  Budget sent_memory{64 * message_bytes};
  Budget received_memory{64 * message_bytes};
  SentChannel channel{0, {}, sent_memory};
  ReceivedChannels receiver{received_memory};
  std::deque<wire::HistoryAnswer> answers;
};

TEST_F(HistoryChannel, WhatIsSmoothInTimeIsPredictedFromSeveralMessages) {
  Sent sent;
  for (int step = 0; step < 40; ++step) sent = exchange(field_at(step));
  EXPECT_GE(sent.offered.size, 3);
  EXPECT_EQ(sent.offered.spacing, 1);
  EXPECT_GT(sent.offered.ratio, 2);
}

TEST_F(HistoryChannel, WhatComesAgainIsToldFromWhatIsNew) {
  std::optional<wire::HistoryBlock> before;
  for (int step = 0; step < 20; ++step) {
    const Sent sent = send(field_at(step));
    if (sent.block) {
      EXPECT_FALSE(receiver.is_repeated(sender, *sent.block));
    }
    receive(sent, field_at(step));
    deliver_answers();
    if (!sent.block) continue;
    EXPECT_TRUE(receiver.is_repeated(sender, *sent.block));
    EXPECT_FALSE(receiver.is_repeated(sender + 1, *sent.block));
    if (before) {
      EXPECT_TRUE(receiver.is_repeated(sender, *before));
    }
    before = sent.block;
  }
  EXPECT_TRUE(before);
}

TEST_F(HistoryChannel, FieldsThatTakeTurnsAreToldApart) {
  Sent sent;
  for (int step = 0; step < 60; ++step) sent = exchange(field_at(step / 3, step % 3));
  EXPECT_EQ(sent.offered.spacing, 3);
  EXPECT_GE(sent.offered.size, 2);
}

TEST_F(HistoryChannel, WhatGainsNothingCostsNoMemoryAndNoFrames) {
  int with_block = 0;
  for (unsigned step = 0; step < 200; ++step) with_block += exchange(noise(step)).block ? 1 : 0;
  EXPECT_EQ(with_block, 0);
  EXPECT_EQ(sent_memory.held(), 0U);
  EXPECT_EQ(received_memory.held(), 0U);
}

// By the sender's clock: it goes by what watching promises.
TEST_F(HistoryChannel, WhatIsDeclinedIsNotKeptAndComesBackLaterEveryTime) {
  std::vector<int> pauses;
  int declined = 0;
  for (int step = 0; step < 2000; ++step) {
    if (channel.skips()) continue;
    OfferedReferences offered = channel.look(ElementType::float64, bytes_of(field_at(step)), {});
    if (offered.to_keep) {
      EXPECT_GT(offered.hoped_for, 1.4);
      offered.to_keep = false;
      offered.is_declined = true;
      ++declined;
    }
    channel.pass(bytes_of(field_at(step)), offered);
    if (!channel.is_paused()) continue;
    pauses.push_back(step);
    EXPECT_EQ(sent_memory.held(), 0U);
  }
  ASSERT_EQ(pauses.size(), 4U);
  EXPECT_EQ(declined, 4 * 8);
  EXPECT_GT(pauses[1] - pauses[0], 250);
  EXPECT_GT(pauses[2] - pauses[1], 500);
  EXPECT_GT(pauses[3] - pauses[2], 1000);
}

TEST_F(HistoryChannel, WhatCouldBePredictedAndIsNotIsLeftAloneForLongerEveryTime) {
  std::vector<int> pauses;
  for (int step = 0; step < 2000; ++step) {
    if (channel.skips()) continue;
    Sent sent{channel.look(ElementType::float64, bytes_of(field_at(step)), {}), std::nullopt};
    if (sent.offered.to_keep) {
      sent.block = channel.send(bytes_of(field_at(step)), sent.offered, 0);
      answers.push_back(receiver.keep(sender, *sent.block, bytes_of(field_at(step))));
    } else {
      channel.pass(bytes_of(field_at(step)), sent.offered);
    }
    deliver_answers();
    if (channel.is_paused()) pauses.push_back(step);
  }
  ASSERT_EQ(pauses.size(), 4U);
  EXPECT_GT(pauses[1] - pauses[0], 250);
  EXPECT_GT(pauses[2] - pauses[1], 500);
  EXPECT_GT(pauses[3] - pauses[2], 1000);
}

TEST_F(HistoryChannel, NothingIsHopedForOnceMessagesArePredicted) {
  for (int step = 0; step < 40; ++step) exchange(field_at(step));
  const OfferedReferences offered = channel.look(ElementType::float64, bytes_of(noise(7)), {});
  EXPECT_TRUE(offered.to_keep);
  EXPECT_EQ(offered.hoped_for, 0);
  channel.abandon(offered);
}

TEST_F(HistoryChannel, MemoryStaysTheSame) {
  for (int step = 0; step < 60; ++step) exchange(field_at(step));
  const std::size_t sent_then = sent_memory.held();
  const std::size_t received_then = received_memory.held();
  for (int step = 60; step < 300; ++step) exchange(field_at(step));
  EXPECT_LE(sent_memory.held(), sent_then);
  EXPECT_LE(received_memory.held(), received_then);
  EXPECT_LE(received_then, 16 * message_bytes);
}

TEST_F(HistoryChannel, NothingIsPredictedFromWhatNobodyConfirmed) {
  for (int step = 0; step < 40; ++step) {
    const auto values = field_at(step);
    const Sent sent = send(values);
    EXPECT_EQ(sent.offered.size, 0);
    receive(sent, values);
  }
}

TEST_F(HistoryChannel, AReceiverThatIsFarBehindIsWaitedFor) {
  for (int step = 0; step < 20; ++step) exchange(field_at(step));
  std::deque<std::pair<Sent, std::vector<double>>> on_their_way;
  for (int step = 20; step < 100; ++step) {
    on_their_way.emplace_back(send(field_at(step)), field_at(step));
  }
  EXPECT_FALSE(on_their_way.back().first.block);
  // In any order: of what is on its way, all references are still there.
  while (!on_their_way.empty()) {
    receive(on_their_way.back().first, on_their_way.back().second);
    on_their_way.pop_back();
  }
  deliver_answers();
  Sent sent;
  for (int step = 100; step < 140; ++step) sent = exchange(field_at(step));
  EXPECT_GE(sent.offered.size, 1);
}

TEST_F(HistoryChannel, AnswersMayComeLate) {
  Sent sent;
  for (int step = 0; step < 60; ++step) {
    const auto values = field_at(step);
    sent = send(values);
    receive(sent, values);
    while (answers.size() > 2) {
      channel.answered(answers.front());
      answers.pop_front();
    }
  }
  EXPECT_GE(sent.offered.size, 1);
  EXPECT_GE(sent.offered.spacing, 3);  // from what is confirmed, in equal steps
}

// Windows: all of one is sent before any of it is answered.
TEST_F(HistoryChannel, OfManyThatAreSentAtOnceFewAreKeptBeforeTheyCanBePredicted) {
  constexpr int window = 16;
  int kept_in_vain = 0;
  int predicted = 0;
  for (int step = 0; step < 40; ++step) {
    const auto values = field_at(step);
    std::vector<Sent> all;
    for (int i = 0; i < window; ++i) all.push_back(send(values));
    for (const Sent& sent : all) {
      receive(sent, values);
      if (!sent.block) continue;
      ++(sent.offered.size > 0 ? predicted : kept_in_vain);
    }
    deliver_answers();
  }
  EXPECT_LE(kept_in_vain, 4);
  EXPECT_GE(predicted, 30 * window);
}

TEST_F(HistoryChannel, AMessageThatIsNeverAnsweredDoesNotMakeMemoryGrow) {
  for (int step = 0; step < 40; ++step) exchange(field_at(step));
  const Sent lost = send(field_at(40));
  ASSERT_TRUE(lost.block);
  int predicted = 0;
  int step = 41;
  while (!channel.is_stuck()) {
    predicted += exchange(field_at(step++)).offered.size > 0 ? 1 : 0;
    ASSERT_LT(step, 2000);
  }
  EXPECT_GE(predicted, 20);
  EXPECT_LE(sent_memory.held(), 48 * message_bytes);
  EXPECT_LE(received_memory.held(), 48 * message_bytes);
  // Anew, under another id; it may come yet, and what it refers to is still there.
  channel.retire(5);
  predicted = 0;
  for (int end = step + 60; step < end; ++step) {
    predicted += exchange(field_at(step)).offered.size > 0 ? 1 : 0;
  }
  EXPECT_GE(predicted, 40);
  EXPECT_TRUE(channel.ended().empty());
  receive(lost, field_at(40));
  deliver_answers();
  EXPECT_EQ(channel.ended(), std::vector<std::uint32_t>{0});
  receiver.forget(sender, 0);
  EXPECT_LE(received_memory.held(), 16 * message_bytes);
}

TEST_F(HistoryChannel, WhatMpiDoesNotTakeIsNotWaitedFor) {
  for (int step = 0; step < 40; ++step) exchange(field_at(step));
  const Sent refused = send(field_at(40));
  channel.abandon(refused.offered);
  Sent sent;
  for (int step = 41; step < 200; ++step) sent = exchange(field_at(step));
  EXPECT_GE(sent.offered.size, 1);
  EXPECT_LE(received_memory.held(), 16 * message_bytes);
}

TEST_F(HistoryChannel, WhatIsKeptOtherwiseThanSentIsNotReferredTo) {
  for (int step = 0; step < 40; ++step) {
    const auto values = field_at(step);
    const Sent sent = send(values);
    EXPECT_EQ(sent.offered.size, 0);
    receive(sent, field_at(step + 0.5));
    deliver_answers();
  }
}

TEST_F(HistoryChannel, AReceiverWithoutMemoryEndsIt) {
  Budget small(message_bytes);
  receiver = ReceivedChannels(small);
  int with_block = 0;
  for (int step = 0; step < 60; ++step) with_block += exchange(field_at(step)).block ? 1 : 0;
  EXPECT_GE(with_block, 1);
  EXPECT_LE(with_block, 4);
  EXPECT_EQ(sent_memory.held(), 0U);
  EXPECT_TRUE(channel.wants_to_be_forgotten());
  receiver.forget(sender, channel.id());
  EXPECT_EQ(small.held(), 0U);
}

TEST_F(HistoryChannel, ASenderWithoutMemoryGoesWithout) {
  Budget none(0);
  SentChannel poor(0, {1, 2}, none);
  channel = std::move(poor);
  for (int step = 0; step < 20; ++step) exchange(field_at(step));
  EXPECT_EQ(none.held(), 0U);
}

TEST_F(HistoryChannel, WhatEndsToBeSmoothIsLeftAlone) {
  for (int step = 0; step < 40; ++step) exchange(field_at(step));
  Sent sent;
  for (unsigned step = 0; step < 100; ++step) sent = exchange(noise(step));
  EXPECT_FALSE(sent.block);
  EXPECT_TRUE(channel.is_paused());
}

TEST_F(HistoryChannel, ADroppedMessageIsNotReferredTo) {
  for (int step = 0; step < 40; ++step) {
    const auto values = field_at(step);
    const Sent sent = send(values);
    if (sent.block && step % 5 == 0) {
      channel.answered({Kind::not_kept, sent.block->channel, sent.block->number, 0});
    } else {
      receive(sent, values);
    }
    deliver_answers();
  }
}

TEST_F(HistoryChannel, AForgottenChannelBeginsAnewUnderAnotherId) {
  for (int step = 0; step < 40; ++step) exchange(field_at(step));
  EXPECT_FALSE(channel.wants_to_be_forgotten());
  channel.release();
  ASSERT_TRUE(channel.wants_to_be_forgotten());
  channel.forgotten(9);
  Sent sent;
  for (int step = 40; step < 60; ++step) sent = exchange(field_at(step));
  ASSERT_TRUE(sent.block);
  EXPECT_EQ(sent.block->channel, 9U);
  receiver.forget(sender, 0);  // comes late
  for (int step = 60; step < 80; ++step) exchange(field_at(step));
}

TEST_F(HistoryChannel, IsNotForgottenBetweenALookAndItsSend) {
  for (int step = 0; step < 40; ++step) exchange(field_at(step));
  const auto values = field_at(40);
  const OfferedReferences offered = channel.look(ElementType::float64, bytes_of(values), {});
  ASSERT_GE(offered.size, 1);
  channel.release();
  EXPECT_FALSE(channel.wants_to_be_forgotten());
  const Sent sent{offered, channel.send(bytes_of(values), offered, offered.size)};
  receive(sent, values);
  deliver_answers();
  channel.release();
  EXPECT_TRUE(channel.wants_to_be_forgotten());
}

TEST_F(HistoryChannel, WhatTheEntropyCoderGainedIsBelievedForAWhile) {
  int step = 0;
  while (exchange(field_at(step++)).offered.ratio == 0) ASSERT_LT(step, 20);
  EXPECT_EQ(exchange(field_at(step++)).offered.coded_gain, 0);
  channel.coded(1.25);
  EXPECT_EQ(exchange(field_at(step++)).offered.coded_gain, 1.25);
  for (int more = 0; more < 64; ++more) static_cast<void>(exchange(field_at(step++)));
  EXPECT_EQ(exchange(field_at(step++)).offered.coded_gain, 0);
}

TEST(ReceivedChannels, OtherReferencesThanTheSendersAreNone) {
  Budget memory(8 * message_bytes);
  ReceivedChannels receiver(memory);
  const auto values = field_at(0);
  const auto kept = receiver.keep(sender, {1, 0, 0, 0, 0, 0}, bytes_of(values));
  ASSERT_EQ(kept.kind, Kind::kept);
  const std::array<std::uint64_t, 1> hashes{kept.hash};
  const wire::HistoryBlock good{1, 1, 0, wire::combined_hash(hashes), 1, 1};
  EXPECT_TRUE(receiver.references(sender, good, message_bytes));
  EXPECT_FALSE(receiver.references(sender + 1, good, message_bytes));
  EXPECT_FALSE(receiver.references(sender, good, message_bytes - 8));
  wire::HistoryBlock other = good;
  other.checksum ^= 1;
  EXPECT_FALSE(receiver.references(sender, other, message_bytes));
  other = good;
  other.channel = 2;
  EXPECT_FALSE(receiver.references(sender, other, message_bytes));
  other = good;
  other.number = 2;
  EXPECT_FALSE(receiver.references(sender, other, message_bytes));
}

}  // namespace
}  // namespace tightwire::history
