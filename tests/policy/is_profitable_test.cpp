#include "policy/tuning/is_profitable.h"

#include <gtest/gtest.h>

#include <limits>

#include "policy/cost/network.h"
#include "policy/cost/speeds.h"

namespace tightwire::policy {
namespace {

constexpr double gigabit = 1e9 / 8;

// From slow to fast, a tenth apart.
std::vector<double> links() {
  std::vector<double> result{0.01 * gigabit};
  while (result.back() < 1000 * gigabit) result.push_back(1.1 * result.back());
  return result;
}

bool is_profitable(const Plan& plan, double link) {
  return policy::is_profitable(plan, typical_ratio(plan.codec), {link, plan.pipelined});
}

Plan plan(Tier tier, codec::Id codec, bool pipelined = true) {
  return {tier, codec, pipelined};
}

TEST(Pays, ABoundedCodecAtMemorySpeedPaysOnSlowLinksOnly) {
  const Plan bounded = plan(Tier::bounded, codec::Id::bounded);
  EXPECT_TRUE(is_profitable(bounded, 1 * gigabit));
  EXPECT_TRUE(is_profitable(bounded, 10 * gigabit));
  EXPECT_FALSE(is_profitable(bounded, 400 * gigabit));
}

TEST(Pays, ASlowCodecDoesNotPayWhereAFastOneDoes) {
  EXPECT_FALSE(is_profitable(plan(Tier::exact, codec::Id::zstd), 10 * gigabit));
  EXPECT_TRUE(is_profitable(plan(Tier::exact, codec::Id::zstd), 0.1 * gigabit));
  EXPECT_TRUE(is_profitable(plan(Tier::bounded, codec::Id::sz3), 0.1 * gigabit));
  EXPECT_FALSE(is_profitable(plan(Tier::bounded, codec::Id::sz3), 10 * gigabit));
}

TEST(Pays, OverlapNeverCostsAndSometimesDecides) {
  bool decided = false;
  for (const double link : links()) {
    const Plan overlapped = plan(Tier::bounded, codec::Id::bounded, true);
    const Plan in_turn = plan(Tier::bounded, codec::Id::bounded, false);
    EXPECT_TRUE(is_profitable(overlapped, link) || !is_profitable(in_turn, link));
    decided |= is_profitable(overlapped, link) && !is_profitable(in_turn, link);
  }
  EXPECT_TRUE(decided);
}

TEST(Pays, WhatPaysOnALinkPaysOnEverySlowerOne) {
  for (const codec::Codec* codec : codec::all()) {
    if (codec->id() == codec::Id::raw) continue;
    bool still = true;
    for (const double link : links()) {
      const bool now = is_profitable(plan(Tier::exact, codec->id()), link);
      EXPECT_TRUE(still || !now) << codec->name();
      still = now;
    }
  }
}

TEST(Pays, NoiseNeverDoes) {
  for (const double link : links()) {
    EXPECT_FALSE(
        policy::is_profitable(plan(Tier::bounded, codec::Id::bounded), 1.02, {link, true}));
  }
}

// On a slow link there is something left to gain beside what the codec alone does, on a fast one
// keeping a short message takes longer than the rest of it.
TEST(Pays, PredictionOfShortMessagesOnSlowLinksOnly) {
  const auto could_pay = [](double link) {
    constexpr double all = std::numeric_limits<double>::infinity();
    return cost_in_time(codec::Id::bounded, all, {link}, std::size_t{64} << 10) <
           compressed_cost(codec::Id::bounded, 3.5, {link});
  };
  EXPECT_TRUE(could_pay(0.5 * gigabit));
  EXPECT_FALSE(could_pay(10 * gigabit));
}

TEST(Pays, FindingTheRangeDecidesOnFastLinksOnly) {
  const Plan bounded = plan(Tier::bounded, codec::Id::bounded);
  const double ratio = typical_ratio(codec::Id::bounded);
  bool decided = false;
  for (const double link : links()) {
    const bool without = policy::is_profitable(bounded, ratio, {link, true});
    const bool with = policy::is_profitable(bounded, ratio, {link, true, 1, look_seconds_per_byte});
    EXPECT_TRUE(without || !with);
    EXPECT_TRUE(without == with || link > 5 * gigabit) << link;
    decided |= without && !with;
  }
  EXPECT_TRUE(decided);
}

TEST(Pays, HelpersMakeFasterLinksPayWhereThereAreSeveralChunks) {
  const double ratio = typical_ratio(codec::Id::bounded);
  const auto fastest = [&](bool pipelined, double speedup) {
    double link = 0;
    for (const double one : links()) {
      const Passage passage{one, pipelined, speedup, look_seconds_per_byte / speedup};
      if (policy::is_profitable(plan(Tier::bounded, codec::Id::bounded), ratio, passage))
        link = one;
    }
    return link;
  };
  EXPECT_GT(fastest(true, 4), 2 * fastest(true, 1));
  EXPECT_LT(fastest(false, 4), 1.3 * fastest(false, 1));
  EXPECT_LE(fastest(true, 1000), 1 / (2 * core_seconds_per_byte(0) / ratio))
      << "TCP takes the core";
}

TEST(Pays, RawAlwaysPays) {
  EXPECT_TRUE(is_profitable(Plan{}, 1e12));
}

}  // namespace
}  // namespace tightwire::policy
