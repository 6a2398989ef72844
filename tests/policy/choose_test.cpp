#include "policy/choose.h"

#include <gtest/gtest.h>

#include <limits>

namespace tightwire::policy {
namespace {

using settings::Mode;
using settings::Settings;

Settings tiers(Mode mode, bool with_bound) {
  Settings settings;
  settings.mode = mode;
  settings.threshold_exact = {1000};
  settings.threshold_bounded = {2000};
  settings.threshold_pipelined = {4000};
  settings.chunks = {8};
  settings.exact_codec = settings::ExactCodec::zstd;
  if (with_bound) settings.error_bound = {settings::ErrorBound::Kind::absolute, 1e-3};
  return settings;
}

Plan plan(const Settings& settings, std::size_t bytes, bool boundable) {
  return choose(settings, {Operation::allreduce, bytes, boundable});
}

TEST(Choose, AdaptiveFollowsTheThresholds) {
  const Settings settings = tiers(Mode::adaptive, true);
  EXPECT_EQ(plan(settings, 999, true).tier, Tier::raw);
  EXPECT_EQ(plan(settings, 1000, true).tier, Tier::exact);
  EXPECT_EQ(plan(settings, 1999, true).tier, Tier::exact);
  EXPECT_EQ(plan(settings, 2000, true).tier, Tier::bounded);
  EXPECT_FALSE(plan(settings, 1 << 20, true).pipelined);
}

TEST(Choose, NothingIsCompressedThatIsSmallerThanTheSmallest) {
  for (const Mode mode :
       {Mode::raw, Mode::exact, Mode::bounded, Mode::adaptive, Mode::adaptive_pipelined}) {
    for (const bool with_bound : {false, true}) {
      for (const std::size_t bounded : {500, 2000}) {
        Settings settings = tiers(mode, with_bound);
        settings.threshold_bounded = {bounded};
        std::size_t first = 0;
        while (first < 5000 && plan(settings, first, true).tier == Tier::raw) ++first;
        if (first == 5000) first = std::numeric_limits<std::size_t>::max();
        EXPECT_EQ(smallest_compressed(settings, false), first);
      }
    }
  }
}

TEST(Choose, OnlyThePipelinedModePipelines) {
  const Settings settings = tiers(Mode::adaptive_pipelined, true);
  EXPECT_FALSE(plan(settings, 3999, true).pipelined);
  EXPECT_TRUE(plan(settings, 4000, true).pipelined);
  EXPECT_TRUE(plan(settings, 4000, false).pipelined);
}

TEST(Choose, WithoutABoundNothingIsEverLossy) {
  for (const Mode mode :
       {Mode::raw, Mode::exact, Mode::bounded, Mode::adaptive, Mode::adaptive_pipelined}) {
    for (std::size_t bytes = 1; bytes < (std::size_t{1} << 32); bytes *= 2) {
      EXPECT_NE(plan(tiers(mode, false), bytes, true).tier, Tier::bounded);
    }
  }
}

TEST(Choose, DataThatCannotBeBoundedIsNeverBounded) {
  for (const Mode mode :
       {Mode::raw, Mode::exact, Mode::bounded, Mode::adaptive, Mode::adaptive_pipelined}) {
    for (std::size_t bytes = 1; bytes < (std::size_t{1} << 32); bytes *= 2) {
      EXPECT_NE(plan(tiers(mode, true), bytes, false).tier, Tier::bounded);
    }
  }
}

// Else their last digits would depend on what the clock says of the network.
TEST(Choose, SumsThatRoundAreMpisOwnUnlessABoundOrAModeSaysOtherwise) {
  for (const std::size_t bytes : {1000, 2000, 1 << 30}) {
    const Call sum{Operation::allreduce, bytes, true, true};
    for (const Mode mode : {Mode::adaptive, Mode::adaptive_pipelined}) {
      EXPECT_EQ(choose(tiers(mode, false), sum).tier, Tier::raw);
      EXPECT_EQ(choose(tiers(mode, true), sum).tier, bytes < 2000 ? Tier::raw : Tier::bounded);
      const Call product{Operation::allreduce, bytes, false, true};
      EXPECT_EQ(choose(tiers(mode, true), product).tier, Tier::raw);
    }
    EXPECT_EQ(choose(tiers(Mode::exact, false), sum).tier, Tier::exact);
    EXPECT_EQ(choose(tiers(Mode::bounded, false), sum).tier, Tier::exact);
  }
}

TEST(Choose, FixedModesIgnoreTheSize) {
  EXPECT_EQ(plan(tiers(Mode::raw, true), 1 << 30, true).tier, Tier::raw);
  EXPECT_EQ(plan(tiers(Mode::exact, true), 1, true).tier, Tier::exact);
  EXPECT_EQ(plan(tiers(Mode::bounded, true), 1, true).tier, Tier::bounded);
  EXPECT_EQ(plan(tiers(Mode::bounded, true), 1, false).tier, Tier::exact);
}

TEST(Choose, AnEmptyMessageIsRawInEveryMode) {
  EXPECT_EQ(plan(tiers(Mode::exact, true), 0, true).tier, Tier::raw);
}

TEST(Choose, TakesTheCodecsOfTheSettings) {
  Settings settings = tiers(Mode::adaptive, true);
  settings.exact_codec = settings::ExactCodec::lz4;
  settings.bounded_codec = settings::BoundedCodec::sz3;
  EXPECT_EQ(plan(settings, 1500, true).codec, codec::Id::lz4);
  EXPECT_EQ(plan(settings, 2500, true).codec, codec::Id::sz3);
}

TEST(Choose, SlowerVariantsAreOfTheSameCodec) {
  Settings settings = tiers(Mode::exact, false);
  settings.exact_codec = settings::ExactCodec::lz4_hc;
  EXPECT_EQ(plan(settings, 1500, false).codec, codec::Id::lz4);
  settings.exact_codec = settings::ExactCodec::exact_entropy;
  EXPECT_EQ(plan(settings, 1500, false).codec, codec::Id::exact);
  settings = tiers(Mode::bounded, true);
  settings.bounded_codec = settings::BoundedCodec::bounded_entropy;
  EXPECT_EQ(plan(settings, 2500, true).codec, codec::Id::bounded);
}

TEST(Choose, TheSecondStageIsOfTheCodecThatItWasAskedOf) {
  const auto stage_of = [](const Settings& settings, codec::Id id) {
    return codec_parameters(settings, id).second_stage;
  };
  Settings settings = tiers(Mode::bounded, true);
  settings.bounded_codec = settings::BoundedCodec::bounded_entropy;
  EXPECT_EQ(stage_of(settings, codec::Id::bounded), codec::SecondStage::entropy);
  EXPECT_EQ(stage_of(settings, codec::Id::exact), codec::SecondStage::none);
  settings = tiers(Mode::bounded, true);
  settings.exact_codec = settings::ExactCodec::exact_entropy;
  EXPECT_EQ(stage_of(settings, codec::Id::bounded), codec::SecondStage::none);
  EXPECT_EQ(stage_of(settings, codec::Id::exact), codec::SecondStage::entropy);
}

TEST(ChunkCount, OneUnlessPipelined) {
  const Settings settings = tiers(Mode::adaptive, true);
  EXPECT_EQ(chunk_range(settings, plan(settings, 8 << 20, true), 8 << 20).usual(), 1U);
}

TEST(ChunkCount, AsManyAsAskedForWithinReason) {
  const Settings settings = tiers(Mode::adaptive_pipelined, true);
  const auto chunks = [&](std::size_t bytes) {
    return chunk_range(settings, plan(settings, bytes, true), bytes).usual();
  };
  EXPECT_EQ(chunks(8 << 20), 8U);
  EXPECT_EQ(chunks(4096), 1U);       // chunks of a few bytes cost more than they hide
  EXPECT_EQ(chunks(64 << 20), 64U);  // chunks beyond the cache start late
}

TEST(ChunkCount, NoFrameOutgrowsMpisInt) {
  const Settings settings = tiers(Mode::exact, false);
  const std::size_t bytes = std::size_t{8} << 30;
  const std::size_t chunks = chunk_range(settings, plan(settings, bytes, false), bytes).usual();
  EXPECT_LE(bytes / chunks, std::size_t{1} << 30);
}

TEST(ChunkCount, MessagesGoInOnePieceUnlessAskedOtherwise) {
  Settings settings = tiers(Mode::adaptive_pipelined, true);
  const auto range = [&](std::size_t bytes) {
    return message_chunk_range(settings, plan(settings, bytes, true), bytes);
  };
  settings.chunks = {};
  ASSERT_TRUE(range(64 << 20));
  EXPECT_EQ(range(64 << 20)->most, 1U);
  EXPECT_FALSE(range(std::size_t{2} << 30));
  settings.chunks = {8};
  EXPECT_EQ(range(64 << 20)->fewest, 64U);
  EXPECT_TRUE(range(std::size_t{2} << 30));
}

}  // namespace
}  // namespace tightwire::policy
