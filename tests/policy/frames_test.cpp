#include "policy/frames.h"

#include <gtest/gtest.h>

namespace tightwire::policy {
namespace {

using settings::Mode;

settings::Settings with(Mode mode) {
  settings::Settings settings;
  settings.mode = mode;
  settings.point_to_point = settings::Switch::on;
  settings.threshold_exact.value = 65536;
  settings.threshold_bounded.value = 4096;
  return settings;
}

TEST(Frames, NoneWhereMessagesAreLeftAlone) {
  settings::Settings settings = with(Mode::adaptive);
  EXPECT_TRUE(frame_threshold(settings));
  settings.point_to_point = settings::Switch::off;
  EXPECT_FALSE(frame_threshold(settings));
  EXPECT_FALSE(frame_threshold(with(Mode::raw)));
}

TEST(Frames, ABoundCountsOnlyWhereItIsGiven) {
  settings::Settings settings = with(Mode::adaptive_pipelined);
  EXPECT_EQ(frame_threshold(settings), 65536U);
  settings.error_bound = {settings::ErrorBound::Kind::absolute, 1e-3};
  EXPECT_EQ(frame_threshold(settings), 4096U);
}

TEST(Frames, NeverSmallerThanATrailerIsWorth) {
  settings::Settings settings = with(Mode::exact);
  EXPECT_EQ(frame_threshold(settings), smallest_frame);
  settings = with(Mode::adaptive);
  settings.threshold_exact.value = 1;
  EXPECT_EQ(frame_threshold(settings), smallest_frame);
  settings.threshold_exact.value = settings::Bytes::never;
  EXPECT_FALSE(frame_threshold(settings));
}

TEST(Frames, RulesForSmallerMessagesCount) {
  settings::Settings settings = with(Mode::adaptive);
  settings::Rule rule;
  rule.overrides = {{"mode", "exact"}};
  const auto threshold = [&] { return frame_threshold(settings, std::span(&rule, 1)); };
  EXPECT_EQ(threshold(), smallest_frame);
  rule.min_bytes.value = 1000;
  EXPECT_EQ(threshold(), 1000U);
  rule.min_bytes.value = 100000;
  EXPECT_EQ(threshold(), 65536U) << "what the settings alone say";
  rule = {};
  rule.overrides = {{"error-bound", "1e-3"}};
  EXPECT_EQ(threshold(), 4096U);
  rule.operations = {};
  EXPECT_EQ(threshold(), 65536U) << "not for messages between two ranks";
  settings.mode = Mode::raw;
  EXPECT_FALSE(threshold());
}

}  // namespace
}  // namespace tightwire::policy
