#include "policy/message.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "policy/cost/network.h"

namespace tightwire::policy {
namespace {

using codec::Id;
using codec::Prediction;
using codec::SecondStage;

constexpr std::size_t bytes = 1 << 20;
constexpr Prediction raw{Id::raw, 1, 0, 0};
constexpr Prediction quick{Id::exact, 2, 0.0005, 0.0005};
constexpr Prediction small{Id::zstd, 4, 0.004, 0.001};

TEST(Message, ASampleMayChooseThePlannedCodecAndExactOnes) {
  constexpr Candidates candidates = candidates_beside(Id::bounded);
  EXPECT_EQ(candidates.front(), Id::bounded);
  for (const codec::Traits& each : codec::all_traits) {
    const bool is_one = std::ranges::find(candidates, each.id) != candidates.end();
    const bool should_be = each.sampled && !each.lossy && each.id != Id::raw;
    EXPECT_EQ(is_one, should_be || each.id == Id::bounded) << each.name;
  }
}

TEST(Message, CodingPaysOnASlowLinkOnly) {
  const std::array predictions{raw, quick};
  EXPECT_EQ(best_way(predictions, {bytes, 1e8, {1, 1}, false}).codec, Id::exact);
  EXPECT_EQ(best_way(predictions, {bytes, 1e10, {1, 1}, false}).codec, Id::raw);
}

TEST(Message, TheSlowerTheLinkTheMoreRatioCounts) {
  const std::array predictions{raw, quick, small};
  EXPECT_EQ(best_way(predictions, {bytes, 1e8, {1, 1}, false}).codec, Id::exact);
  EXPECT_EQ(best_way(predictions, {bytes, 1e7, {1, 1}, false}).codec, Id::zstd);
}

TEST(Message, ASecondStageIsForSlowerLinksThanTheFirst) {
  const std::array predictions{raw, quick,
                               Prediction{Id::exact, 3, 0.004, 0.002, SecondStage::entropy}};
  EXPECT_EQ(best_way(predictions, {bytes, 1e8, {1, 1}, false}).second_stage, SecondStage::none);
  EXPECT_EQ(best_way(predictions, {bytes, 1e7, {1, 1}, false}).second_stage, SecondStage::entropy);
}

// On a link so slow that the fewest chunks are the best ones but for that.
TEST(Message, ChunksAreCutUntilTheirFramesAreShortEnough) {
  const auto chunks = [](std::size_t mebibytes, double ratio, ChunkRange range) {
    const std::array predictions{raw, Prediction{Id::exact, ratio, 1e-4, 1e-4}};
    return best_way(predictions, {mebibytes << 20, 1e7, range}).chunks;
  };
  EXPECT_EQ(chunks(16, 1.3, {16, 512}), 32);
  EXPECT_EQ(chunks(16, 4, {16, 512}), 16);
  EXPECT_EQ(chunks(16, 1.3, {16, 16}), 16) << "where no other number may be";
}

// The shorter frame takes as long, but for what MPI takes to ask for the longer one.
TEST(Message, AFrameThatIsAskedForIsTheWorseOneButMayPay) {
  const Prediction longer{Id::lz4, 20, 0.0001, 0.0001};
  const Prediction shorter{Id::bounded, 200, 0.00013, 0.00013};
  const std::array both{raw, longer, shorter};
  const std::array alone{raw, longer};
  MessageFacts facts{bytes, 1e9, {1, 1}};
  EXPECT_LT(message_seconds(longer, facts, 1), message_seconds(shorter, facts, 1));
  EXPECT_EQ(best_way(both, facts).codec, Id::bounded);
  facts.latency = 1e-6;
  EXPECT_EQ(best_way(both, facts).codec, Id::lz4) << "no TCP: it takes next to nothing";
  facts.latency = 0;
  facts.link = 0.94 * bytes / message_seconds(longer, facts, 1);
  EXPECT_EQ(best_way(alone, facts).codec, Id::lz4) << "raw ones are asked for as well";
}

TEST(Message, WhatDoesNotShrinkGoesRaw) {
  const std::array predictions{raw, Prediction{Id::exact, 1.02, 0.0001, 0.0001}};
  EXPECT_EQ(best_way(predictions, {bytes, 1e7, {8, 8}, false}).codec, Id::raw);
}

TEST(Message, ALookBeforeItIsNotWorthItOnFastLinks) {
  const std::array predictions{raw, quick};
  for (const std::size_t chunks : {1, 8}) {
    MessageFacts facts{bytes, 3e8, {chunks, chunks}};
    const double without = message_seconds(quick, facts, chunks);
    EXPECT_EQ(best_way(predictions, facts).codec, Id::exact);
    facts.look_seconds = 0.003;
    EXPECT_DOUBLE_EQ(message_seconds(quick, facts, chunks), without + 0.003);
    EXPECT_EQ(best_way(predictions, facts).codec, Id::raw);
    facts.link = 1e7;
    EXPECT_EQ(best_way(predictions, facts).codec, Id::exact);
  }
}

TEST(Message, WhatOnlyALookWouldLoseIsTried) {
  EXPECT_EQ(look_on_trial(0.002, 0.01), 0);
  EXPECT_EQ(look_on_trial(0, 0.01), 0);
  EXPECT_NEAR(look_on_trial(0.01, 0.01), 0.007, 1e-12);
}

TEST(Message, ChunksHideAllButTheSlowestStage) {
  const double transfer = bytes / 2 / 1e8;
  EXPECT_DOUBLE_EQ(message_seconds(quick, {bytes, 1e8, {}, false}, 1), transfer + 0.001 + 20e-6);
  const double chunked = message_seconds(quick, {bytes, 1e8, {}, false}, 10);
  EXPECT_GT(chunked, transfer + 0.0001);
  EXPECT_LT(chunked, transfer + 0.0002);
}

TEST(Message, AFrameCostsASmallMessageOnAFastLinkTooMuch) {
  const auto codec_for = [](double times) {
    const std::array predictions{raw, Prediction{Id::exact, 4, 1e-5 * times, 1e-5 * times}};
    const auto size = static_cast<std::size_t>(65536 * times);
    return best_way(predictions, {size, 1.25e9, {1, 1}, false}).codec;
  };
  EXPECT_EQ(codec_for(1), Id::raw);
  EXPECT_EQ(codec_for(4), Id::exact);
}

TEST(Message, WhatIsPassedOnAroundARingIsEncodedOnce) {
  const auto codec_for = [](double decode, int links) {
    const std::array predictions{raw, Prediction{Id::exact, 4, 6e-5, decode}};
    return best_way(predictions, {1 << 17, 1.25e9, {1, 1}, false, links}).codec;
  };
  EXPECT_EQ(codec_for(4e-5, 1), Id::raw);
  EXPECT_EQ(codec_for(4e-5, 7), Id::exact);
  // But every rank decodes what all have sent.
  EXPECT_EQ(codec_for(2e-4, 7), Id::raw);
  EXPECT_EQ(codec_for(2e-4, 127), Id::raw);
}

TEST(Message, LongMessagesGoInMoreChunks) {
  const auto chunks_of = [](std::size_t times) {
    const auto factor = static_cast<double>(times);
    const std::array predictions{raw, Prediction{Id::exact, 2, 2e-4 * factor, 2e-4 * factor}};
    return best_way(predictions, {bytes * times, 1e9, {1, 1024}, false}).chunks;
  };
  EXPECT_GT(chunks_of(1), 1U);
  EXPECT_GT(chunks_of(16), chunks_of(1));
  EXPECT_LT(chunks_of(16), 1024U);
}

TEST(Message, WhereACoreCodesBothWaysLessPays) {
  // Either of the two hides behind the transfer, but not both.
  const std::array predictions{raw, Prediction{Id::exact, 1.5, 0.0004, 0.0004}};
  MessageFacts facts{bytes, 1e9, {8, 8}, false};
  EXPECT_EQ(best_way(predictions, facts).codec, Id::exact);
  facts.both_ways = true;
  EXPECT_EQ(best_way(predictions, facts).codec, Id::raw);
}

TEST(Message, WhatAFrameCostsBesideItsBytesGoesByTheNetworksLatency) {
  // A block of a large Scatter over 100 Gbit/s, by a quick codec.
  constexpr std::size_t block = 512 << 10;
  const std::array predictions{raw, Prediction{Id::bounded, 100, 10e-6, 5e-6}};
  MessageFacts facts{block, 12.5e9, {8, 8}, false};
  const double over_tcp = message_seconds(predictions[1], facts, 8);
  EXPECT_EQ(best_way(predictions, facts).codec, Id::raw);
  facts.latency = 2e-6;
  EXPECT_EQ(best_way(predictions, facts).codec, Id::bounded);
  facts.latency = 20e-6;
  EXPECT_DOUBLE_EQ(message_seconds(predictions[1], facts, 8), over_tcp);
  facts.latency = 1e-3;
  EXPECT_DOUBLE_EQ(message_seconds(predictions[1], facts, 8), over_tcp);
}

// A block of 512 KiB for each of many ranks, at 100 Gbit/s, of a field that shrinks fourfold.
TEST(Message, OfMessagesForManyRanksOneIsEncodedWhileOthersAreOnTheirWay) {
  const Prediction bounded{Id::bounded, 4, 90e-6, 65e-6};
  const std::array predictions{raw, bounded};
  MessageFacts facts{512 << 10, 12.5e9, {8, 8}};
  facts.latency = 2e-6;
  facts.coding_speedup = 16;
  EXPECT_EQ(best_way(predictions, facts).codec, Id::raw);
  facts.receivers = 127;
  EXPECT_EQ(best_way(predictions, facts).codec, Id::bounded);
  // What a single core encodes is slower than the link all the same.
  facts.coding_speedup = 1;
  EXPECT_EQ(best_way(predictions, facts).codec, Id::raw);
  EXPECT_GT(message_seconds(bounded, facts, 1), bounded.encode_seconds);
}

// Blocks of 32 KiB to one rank, at 10 Gbit/s: their bytes share its link, the encoders do not wait
// for each other.
TEST(Message, OfMessagesFromManyRanksOneIsDecodedWhileOthersAreOnTheirWay) {
  const Prediction bounded{Id::bounded, 4, 10e-6, 6e-6};
  const std::array predictions{raw, bounded};
  MessageFacts facts{32 << 10, 1.25e9, {1, 1}};
  facts.latency = 5e-6;
  EXPECT_EQ(best_way(predictions, facts).codec, Id::raw);
  facts.senders = 31;
  EXPECT_EQ(best_way(predictions, facts).codec, Id::bounded);
  // A receiver that is slower than its link makes all of them wait.
  const std::array slow{raw, Prediction{Id::bounded, 4, 10e-6, 30e-6}};
  EXPECT_EQ(best_way(slow, facts).codec, Id::raw);
}

// A message of 16 MiB at 100 Gbit/s: one thread encodes more slowly than the link is.
TEST(Message, HelpersMakeItWorthItWhereBothEndsHaveThem) {
  const std::array predictions{raw, Prediction{Id::exact, 20, 3e-3, 2e-3}};
  MessageFacts facts{16 << 20, 12.5e9, {64, 64}};
  facts.decoding_speedup = 1;
  EXPECT_EQ(best_way(predictions, facts).codec, Id::raw);
  facts.coding_speedup = 8;
  EXPECT_EQ(best_way(predictions, facts).codec, Id::raw);
  facts.decoding_speedup = 8;
  const MessageWay helped = best_way(predictions, facts);
  EXPECT_EQ(helped.codec, Id::exact);
  facts.decoding_speedup.reset();
  EXPECT_EQ(best_way(predictions, facts).seconds, helped.seconds);
}

TEST(Message, WhoDecodesAloneIsEnoughWhereThatIsQuick) {
  const std::array predictions{raw, Prediction{Id::exact, 20, 3e-3, 5e-4}};
  MessageFacts facts{16 << 20, 12.5e9, {64, 64}};
  facts.decoding_speedup = 1;
  EXPECT_EQ(best_way(predictions, facts).codec, Id::raw);
  facts.coding_speedup = 8;
  EXPECT_EQ(best_way(predictions, facts).codec, Id::exact);
  facts.both_ways = true;
  EXPECT_EQ(best_way(predictions, facts).codec, Id::exact);
}

TEST(Message, HelpersAreForChunksAndLongLooks) {
  EXPECT_FALSE(may_be_helped({1, 1}, 0));
  EXPECT_FALSE(may_be_helped({1, 1}, 1 << 20));
  EXPECT_TRUE(may_be_helped({1, 1}, 2 << 20));
  EXPECT_TRUE(may_be_helped({8, 8}, 0));
}

TEST(Message, NoNetworkMakesAFrameFree) {
  EXPECT_GE(beside_bytes(3e-6, 1e-9), 1e-6);
  EXPECT_LT(beside_bytes(3e-6, 1e-6), beside_bytes(3e-6, 5e-6));
  EXPECT_LT(core_seconds_per_byte(1e-6), 0.2 * core_seconds_per_byte(20e-6));
}

TEST(Message, WhatIsSmallForItsLinkIsNotWorthALook) {
  EXPECT_FALSE(may_gain(16 << 10, 1.25e9));
  EXPECT_TRUE(may_gain(16 << 10, 0.125e9));
  EXPECT_TRUE(may_gain(64 << 10, 1.25e9));
  EXPECT_FALSE(may_gain(64 << 10, 1.25e9, 60e-6));
}

}  // namespace
}  // namespace tightwire::policy
