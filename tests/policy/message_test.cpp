#include "policy/message.h"

#include <gtest/gtest.h>

#include <array>

namespace tightwire::policy {
namespace {

using codec::Id;
using codec::Prediction;

constexpr std::size_t bytes = 1 << 20;
constexpr Prediction raw{Id::raw, 1, 0, 0};
constexpr Prediction quick{Id::exact, 2, 0.0005, 0.0005};
constexpr Prediction small{Id::zstd, 4, 0.004, 0.001};

TEST(Message, CodingPaysOnASlowLinkOnly) {
  const std::array predictions{raw, quick};
  EXPECT_EQ(best_codec(predictions, {bytes, 1e8, 1}), Id::exact);
  EXPECT_EQ(best_codec(predictions, {bytes, 1e10, 1}), Id::raw);
}

TEST(Message, TheSlowerTheLinkTheMoreRatioCounts) {
  const std::array predictions{raw, quick, small};
  EXPECT_EQ(best_codec(predictions, {bytes, 1e8, 1}), Id::exact);
  EXPECT_EQ(best_codec(predictions, {bytes, 1e7, 1}), Id::zstd);
}

TEST(Message, WhatDoesNotShrinkGoesRaw) {
  const std::array predictions{raw, Prediction{Id::exact, 1.02, 0.0001, 0.0001}};
  EXPECT_EQ(best_codec(predictions, {bytes, 1e7, 8}), Id::raw);
}

TEST(Message, ChunksHideAllButTheSlowestStage) {
  const double whole = message_seconds(quick, {bytes, 1e8, 1});
  EXPECT_DOUBLE_EQ(whole, bytes / 2 / 1e8 + 0.001);
  EXPECT_DOUBLE_EQ(message_seconds(quick, {bytes, 1e8, 10}), bytes / 2 / 1e8 + 0.0001);
}

}  // namespace
}  // namespace tightwire::policy
