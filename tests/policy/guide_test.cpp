#include "policy/guide.h"

#include <gtest/gtest.h>

#include "policy/choose.h"

namespace tightwire::policy {
namespace {

using codec::ElementType;
using settings::Mode;
using settings::Rule;
using settings::Wishes;

settings::Settings job() {
  settings::Settings settings;
  settings.mode = Mode::raw;
  settings.threshold_pipelined = {1 << 20};
  return settings;
}

Rule rule(const Wishes& wishes) {
  Rule rule;
  rule.wishes = wishes;
  return rule;
}

Rule rule_for(Operation operation, const Wishes& wishes) {
  Rule made = rule(wishes);
  made.operations.reset().set(static_cast<std::size_t>(operation));
  return made;
}

Rule rule_for(settings::Datatype type, const Wishes& wishes) {
  Rule made = rule(wishes);
  made.datatypes.reset().set(static_cast<std::size_t>(type));
  return made;
}

const Wishes exact{{"mode", "exact"}};
const Wishes adaptive{{"mode", "adaptive+pipelined"}, {"threshold-exact", "0"}};
const CallFacts some_call{Operation::bcast, 5000, ElementType::float64};

Guide guide(const std::vector<Rule>& rules, const Wishes& hints = {},
            const std::string& name = "") {
  return {job(), rules, rules_for_name(rules, name), hints};
}

TEST(Guide, WithoutRulesTheJobsSettingsHold) {
  const Guide none = guide({});
  EXPECT_EQ(none.of(some_call).settings, job());
  EXPECT_EQ(none.common(Operation::bcast, 5000).settings, job());
  EXPECT_EQ(none.of(some_call).rule, 0U);
  EXPECT_TRUE(none.all_raw());
}

TEST(Guide, TheFirstRuleThatACallMeetsCounts) {
  const std::vector<Rule> rules{rule_for(Operation::allreduce, {{"mode", "raw"}}), rule(exact),
                                rule_for(Operation::bcast, adaptive)};
  const Guide first = guide(rules);
  EXPECT_EQ(first.of(some_call).rule, 2U);
  EXPECT_EQ(first.of(some_call).settings.mode, Mode::exact);
  EXPECT_EQ(first.common(Operation::bcast, 5000).rule, 2U);
  EXPECT_EQ(first.of({Operation::allreduce, 5000, ElementType::float64}).rule, 1U);
  EXPECT_FALSE(first.all_raw());

  const std::vector<Rule> reversed{rules[2], rules[1], rules[0]};
  EXPECT_EQ(guide(reversed).of(some_call).settings.mode, Mode::adaptive_pipelined);
}

TEST(Guide, SizesAreWithinBothEnds) {
  std::vector<Rule> rules{rule(exact)};
  rules[0].min_bytes = {100};
  rules[0].max_bytes = {200};
  const Guide sizes = guide(rules);
  for (const auto& [bytes, met] : {std::pair{99U, 0U}, {100U, 1U}, {200U, 1U}, {201U, 0U}}) {
    EXPECT_EQ(sizes.of({Operation::bcast, bytes, ElementType::bytes}).rule, met) << bytes;
    EXPECT_EQ(sizes.common(Operation::bcast, bytes).rule, met) << bytes;
  }
}

TEST(Guide, PeersAreThoseOfMessages) {
  std::vector<Rule> rules{rule_for(Operation::send, exact)};
  rules[0].peer = settings::Peer::same_host;
  const Guide near = guide(rules);
  EXPECT_EQ(near.of({Operation::send, 1, ElementType::bytes, false}).rule, 1U);
  EXPECT_EQ(near.of({Operation::send, 1, ElementType::bytes, true}).rule, 0U);
}

TEST(Guide, NamesMatchByPattern) {
  std::vector<Rule> rules{rule(exact), rule(adaptive)};
  rules[0].communicator = "halo?";
  EXPECT_EQ(guide(rules, {}, "halo1").of(some_call).rule, 1U);
  EXPECT_EQ(guide(rules, {}, "halo12").of(some_call).rule, 2U) << "numbered as in the file";
  EXPECT_EQ(guide(rules).of(some_call).rule, 2U);
}

TEST(Guide, HintsOutdoRules) {
  const std::vector<Rule> rules{rule({{"mode", "exact"}, {"zstd-level", "7"}})};
  const Guide hinted = guide(rules, {{"mode", "raw"}});
  const InForce& both = hinted.of(some_call);
  EXPECT_EQ(both.settings.mode, Mode::raw);
  EXPECT_EQ(both.settings.zstd_level.value, 7);
  EXPECT_NE(both.hash, guide(rules).of(some_call).hash);
  EXPECT_TRUE(hinted.all_raw());
}

// Receivers, who do not know the type, must expect frames wherever a sender may send some.
TEST(Guide, WhatAllKnowIsNeverWeakerThanASendersOwn) {
  const std::vector<Rule> rules{rule_for(settings::Datatype::float64, adaptive),
                                rule_for(settings::Datatype::float32, exact),
                                rule_for(settings::Datatype::int32, {{"mode", "raw"}})};
  const Guide types = guide(rules);
  for (const std::size_t bytes : {std::size_t{1000}, std::size_t{2} << 20U}) {
    const InForce& common = types.common(Operation::bcast, bytes);
    const Plan all = choose(common.settings, {Operation::bcast, bytes, true});
    EXPECT_NE(all.tier, Tier::raw);
    for (const auto type :
         {ElementType::float32, ElementType::float64, ElementType::int32, ElementType::bytes}) {
      const InForce& own = types.of({Operation::bcast, bytes, type});
      const Plan plan = choose(own.settings, {Operation::bcast, bytes, true});
      EXPECT_TRUE(all.pipelined || !plan.pipelined);
    }
  }
  EXPECT_EQ(types.of({Operation::bcast, 1000, ElementType::int32}).settings.mode, Mode::raw);
  EXPECT_EQ(types.of({Operation::bcast, 1000, ElementType::float32}).rule, 2U);
  EXPECT_EQ(types.of({Operation::bcast, 1000, ElementType::bytes}).rule, 0U);
}

TEST(Guide, RulesBehindOneForEveryTypeAreNotCommon) {
  const std::vector<Rule> rules{rule_for(settings::Datatype::float64, {{"mode", "raw"}}),
                                rule({{"mode", "raw"}}), rule(exact)};
  EXPECT_EQ(guide(rules).common(Operation::bcast, 1000).settings.mode, Mode::raw);
}

}  // namespace
}  // namespace tightwire::policy
