#include "early/encoding/codec_upgrade.h"

#include <gtest/gtest.h>

namespace tightwire::early {
namespace {

codec::Encoding encoding(codec::Id id, codec::ElementType type) {
  return {codec::find(id), type, {}};
}

TEST(Ladder, ExactValuesClimbToTheSecondStageAndNoHigher) {
  const auto next = stronger(encoding(codec::Id::exact, codec::ElementType::float32));
  ASSERT_TRUE(next);
  EXPECT_EQ(next->codec->id(), codec::Id::exact);
  EXPECT_EQ(next->parameters.second_stage, codec::SecondStage::entropy);
  EXPECT_FALSE(stronger(*next));
}

TEST(Ladder, OpaqueBytesClimbToZstd) {
  const auto next = stronger(encoding(codec::Id::lz4, codec::ElementType::bytes));
  ASSERT_TRUE(next);
  EXPECT_EQ(next->codec->id(), codec::Id::zstd);
  EXPECT_FALSE(stronger(*next));
}

// Results must not depend on when somebody had time.
TEST(Ladder, LossyCodingsStayWhatTheyAre) {
  for (const codec::Codec* codec : codec::all()) {
    if (!codec->lossy()) continue;
    codec::Encoding lossy = encoding(codec->id(), codec::ElementType::float32);
    lossy.parameters.error_bound = 1e-3;
    EXPECT_FALSE(stronger(lossy)) << codec->name();
  }
}

TEST(Ladder, ASmallerEncodingWinsOnASlowLinkOnly) {
  constexpr std::size_t values = 1 << 20;
  EncodedChunk weak;
  weak.codec = codec::Id::exact;
  weak.size = values / 2;
  EncodedChunk strong;
  strong.codec = codec::Id::exact;
  strong.size = values / 3;
  strong.strong = true;
  EXPECT_TRUE(arrives_sooner(weak, strong, values, {0, true}));
  EXPECT_TRUE(arrives_sooner(weak, strong, values, {1e7, false}));
  EXPECT_FALSE(arrives_sooner(weak, strong, values, {1e10, true}));
  EXPECT_FALSE(arrives_sooner(strong, weak, values, {0, true}));
}

}  // namespace
}  // namespace tightwire::early
