#include "policy/thresholds.h"

#include <gtest/gtest.h>

#include "policy/choose.h"

namespace tightwire::policy {
namespace {

using settings::Settings;
using settings::Threshold;

constexpr std::uint64_t kib = 1024;

TEST(Thresholds, AreSmallWhereASampleDecides) {
  const Settings settings;
  EXPECT_EQ(exact_threshold(settings, Operation::send), 8 * kib);
  EXPECT_EQ(bounded_threshold(settings, Operation::send), 8 * kib);
  EXPECT_EQ(exact_threshold(settings, Operation::bcast), 64 * kib);
  EXPECT_EQ(bounded_threshold(settings, Operation::allreduce), 32 * kib);
}

TEST(Thresholds, AreSmallWhereTimesDecide) {
  const Settings settings;
  EXPECT_EQ(exact_threshold(settings, Operation::bcast, true), 8 * kib);
  EXPECT_EQ(bounded_threshold(settings, Operation::allreduce, true), 8 * kib);
}

TEST(Thresholds, AreThoseOfCollectivesWhereTheUserNamesACodec) {
  Settings settings;
  settings.exact_codec = settings::ExactCodec::zstd;
  EXPECT_EQ(exact_threshold(settings, Operation::send), 64 * kib);
  EXPECT_EQ(bounded_threshold(settings, Operation::send), 8 * kib);
  settings.exact_codec = settings::ExactCodec::exact_entropy;
  EXPECT_EQ(bounded_threshold(settings, Operation::send), 32 * kib);
}

TEST(Thresholds, ExactOnesThatTheUserGivesAreNotMadeLossySooner) {
  Settings settings;
  settings.threshold_exact.value = 4 * kib;
  EXPECT_EQ(bounded_threshold(settings, Operation::bcast, true), 32 * kib);
}

TEST(Thresholds, AreTheUsersWhereGiven) {
  Settings settings;
  settings.threshold_exact.value = 100;
  settings.threshold_bounded.value = Threshold::never;
  for (const Operation operation : {Operation::send, Operation::bcast}) {
    EXPECT_EQ(exact_threshold(settings, operation), 100U);
    EXPECT_EQ(bounded_threshold(settings, operation), Threshold::never);
    EXPECT_EQ(exact_threshold(settings, operation, true), 100U);
    EXPECT_EQ(bounded_threshold(settings, operation, true), Threshold::never);
  }
}

TEST(Thresholds, NoCollectiveIsMeantByThoseOfMessages) {
  Settings settings;
  settings.mode = settings::Mode::adaptive;
  EXPECT_EQ(smallest_compressed(settings, false), 64 * kib);
  EXPECT_EQ(smallest_compressed(settings, true), 8 * kib);
}

TEST(Thresholds, MessagesBetweenTwoRanksAreCutFromALargerSizeOnThanCollectives) {
  settings::Settings settings;
  EXPECT_EQ(pipelined_threshold(settings, Operation::send), 512 * kib);
  EXPECT_EQ(pipelined_threshold(settings, Operation::bcast), 128 * kib);
  EXPECT_EQ(pipelined_threshold(settings, Operation::allreduce), 128 * kib);
  settings.threshold_pipelined = {100};
  for (const Operation operation : {Operation::send, Operation::bcast}) {
    EXPECT_EQ(pipelined_threshold(settings, operation), 100U);
  }
}

}  // namespace
}  // namespace tightwire::policy
