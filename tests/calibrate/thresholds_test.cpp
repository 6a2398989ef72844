#include "calibrate/thresholds.h"

#include <gtest/gtest.h>

#include "settings/values.h"

namespace tightwire::calibrate {
namespace {

constexpr std::uint64_t never = settings::Bytes::never;

// Sixteen sizes from 1 KiB on, all tiers alike.
std::vector<Times> equal_tiers() {
  std::vector<Times> times(16, Times{0, 1, 1, 1, 1});
  for (std::size_t i = 0; i < times.size(); ++i) times[i].bytes = std::uint64_t{1024} << i;
  return times;
}

void faster_from(std::vector<Times>& times, double Times::*tier, std::uint64_t from, double time) {
  for (Times& t : times) t.*tier = t.bytes >= from ? time : 2;
}

TEST(Thresholds, EachTierStartsWhereItBeginsToPay) {
  auto times = equal_tiers();
  faster_from(times, &Times::exact, 8192, 0.8);
  faster_from(times, &Times::bounded, 65536, 0.5);
  faster_from(times, &Times::pipelined, 1048576, 0.3);
  const Thresholds found = find_thresholds(times);
  EXPECT_EQ(found.exact, 8192U);
  EXPECT_EQ(found.bounded, 65536U);
  EXPECT_EQ(found.pipelined, 1048576U);
}

TEST(Thresholds, EqualTiersNeverPay) {
  const Thresholds found = find_thresholds(equal_tiers());
  EXPECT_EQ(found.exact, never);
  EXPECT_EQ(found.bounded, never);
  EXPECT_EQ(found.pipelined, never);
}

TEST(Thresholds, ALittleFasterIsNoise) {
  auto times = equal_tiers();
  faster_from(times, &Times::exact, 1024, 0.99);
  EXPECT_EQ(find_thresholds(times).exact, never);
  faster_from(times, &Times::exact, 1024, 0.97);
  EXPECT_EQ(find_thresholds(times).exact, 1024U);
}

TEST(Thresholds, OneNoisySizeDecidesNothing) {
  for (std::size_t noisy = 0; noisy < 16; ++noisy) {
    auto slow_once = equal_tiers();
    faster_from(slow_once, &Times::exact, 1024, 0.5);
    slow_once[noisy].exact = 9;
    EXPECT_EQ(find_thresholds(slow_once).exact, 1024U) << "slow once at " << noisy;
    auto fast_once = equal_tiers();
    faster_from(fast_once, &Times::exact, never, 0);
    fast_once[noisy].exact = 0.1;
    EXPECT_EQ(find_thresholds(fast_once).exact, never) << "fast once at " << noisy;
  }
}

TEST(Thresholds, AGainThatEndsBeforeTheLargestSizesDoesNotCount) {
  auto times = equal_tiers();
  for (std::size_t i = 4; i < 12; ++i) times[i].exact = 0.5;
  EXPECT_EQ(find_thresholds(times).exact, never);
}

TEST(Thresholds, BoundedIsComparedWithTheTierBelowIt) {
  auto times = equal_tiers();
  faster_from(times, &Times::exact, 1024, 0.4);
  faster_from(times, &Times::bounded, 1024, 0.5);  // faster than raw, slower than exact
  EXPECT_EQ(find_thresholds(times).bounded, never);
}

TEST(Thresholds, PipeliningMayOpenTheBoundedTier) {
  auto times = equal_tiers();
  faster_from(times, &Times::exact, never, 0);
  faster_from(times, &Times::bounded, never, 0);
  faster_from(times, &Times::pipelined, 1048576, 0.7);
  const Thresholds found = find_thresholds(times);
  EXPECT_EQ(found.bounded, 1048576U);
  EXPECT_EQ(found.pipelined, 1048576U);
}

TEST(Thresholds, TwoSizesAreEnough) {
  EXPECT_EQ(find_thresholds({{1024, 1, 2, 2, 2}, {2048, 1, 0.5, 2, 2}}).exact, 2048U);
  EXPECT_EQ(find_thresholds({{1024, 1, 0.5, 2, 2}}).exact, 1024U);
}

}  // namespace
}  // namespace tightwire::calibrate
