#include "policy/settings_resolver.h"

#include <gtest/gtest.h>

#include "policy/choose.h"

namespace tightwire::policy {
namespace {

using codec::ElementType;
using settings::Mode;
using settings::Overrides;
using settings::Rule;

settings::Settings job() {
  settings::Settings settings;
  settings.mode = Mode::raw;
  settings.threshold_pipelined = {1 << 20};
  return settings;
}

Rule rule(const Overrides& overrides) {
  Rule rule;
  rule.overrides = overrides;
  return rule;
}

Rule rule_for(Operation operation, const Overrides& overrides) {
  Rule made = rule(overrides);
  made.operations.reset().set(static_cast<std::size_t>(operation));
  return made;
}

Rule rule_for(settings::Datatype type, const Overrides& overrides) {
  Rule made = rule(overrides);
  made.datatypes.reset().set(static_cast<std::size_t>(type));
  return made;
}

const Overrides exact{{"mode", "exact"}};
const Overrides adaptive{{"mode", "adaptive+pipelined"}, {"threshold-exact", "0"}};
const CallFacts some_call{Operation::bcast, 5000, ElementType::float64};

SettingsResolver resolver(const std::vector<Rule>& rules, const Overrides& hints = {},
                          const std::string& name = "") {
  return {job(), rules, rules_for_name(rules, name), hints};
}

TEST(SettingsResolver, WithoutRulesTheJobsSettingsHold) {
  const SettingsResolver none = resolver({});
  EXPECT_EQ(none.of(some_call).settings, job());
  EXPECT_EQ(none.common(Operation::bcast, 5000).settings, job());
  EXPECT_EQ(none.of(some_call).rule, 0U);
  EXPECT_TRUE(none.all_raw());
}

TEST(SettingsResolver, TheFirstRuleThatACallMeetsCounts) {
  const std::vector<Rule> rules{rule_for(Operation::allreduce, {{"mode", "raw"}}), rule(exact),
                                rule_for(Operation::bcast, adaptive)};
  const SettingsResolver first = resolver(rules);
  EXPECT_EQ(first.of(some_call).rule, 2U);
  EXPECT_EQ(first.of(some_call).settings.mode, Mode::exact);
  EXPECT_EQ(first.common(Operation::bcast, 5000).rule, 2U);
  EXPECT_EQ(first.of({Operation::allreduce, 5000, ElementType::float64}).rule, 1U);
  EXPECT_FALSE(first.all_raw());

  const std::vector<Rule> reversed{rules[2], rules[1], rules[0]};
  EXPECT_EQ(resolver(reversed).of(some_call).settings.mode, Mode::adaptive_pipelined);
}

TEST(SettingsResolver, SizesAreWithinBothEnds) {
  std::vector<Rule> rules{rule(exact)};
  rules[0].min_bytes = {100};
  rules[0].max_bytes = {200};
  const SettingsResolver sizes = resolver(rules);
  for (const auto& [bytes, met] : {std::pair{99U, 0U}, {100U, 1U}, {200U, 1U}, {201U, 0U}}) {
    EXPECT_EQ(sizes.of({Operation::bcast, bytes, ElementType::bytes}).rule, met) << bytes;
    EXPECT_EQ(sizes.common(Operation::bcast, bytes).rule, met) << bytes;
  }
}

TEST(SettingsResolver, PeersAreThoseOfMessages) {
  std::vector<Rule> rules{rule_for(Operation::send, exact)};
  rules[0].peer = settings::Peer::same_host;
  const SettingsResolver near = resolver(rules);
  EXPECT_EQ(near.of({Operation::send, 1, ElementType::bytes, false}).rule, 1U);
  EXPECT_EQ(near.of({Operation::send, 1, ElementType::bytes, true}).rule, 0U);
}

TEST(SettingsResolver, NamesMatchByPattern) {
  std::vector<Rule> rules{rule(exact), rule(adaptive)};
  rules[0].communicator = "halo?";
  EXPECT_EQ(resolver(rules, {}, "halo1").of(some_call).rule, 1U);
  EXPECT_EQ(resolver(rules, {}, "halo12").of(some_call).rule, 2U) << "numbered as in the file";
  EXPECT_EQ(resolver(rules).of(some_call).rule, 2U);
}

TEST(SettingsResolver, HintsOutdoRules) {
  const std::vector<Rule> rules{rule({{"mode", "exact"}, {"zstd-level", "7"}})};
  const SettingsResolver hinted = resolver(rules, {{"mode", "raw"}});
  const EffectiveSettings& both = hinted.of(some_call);
  EXPECT_EQ(both.settings.mode, Mode::raw);
  EXPECT_EQ(both.settings.zstd_level.value, 7);
  EXPECT_NE(both.hash, resolver(rules).of(some_call).hash);
  EXPECT_TRUE(hinted.all_raw());
}

// Receivers, who do not know the type, must expect frames wherever a sender may send some.
TEST(SettingsResolver, WhatAllKnowIsNeverWeakerThanASendersOwn) {
  const std::vector<Rule> rules{rule_for(settings::Datatype::float64, adaptive),
                                rule_for(settings::Datatype::float32, exact),
                                rule_for(settings::Datatype::int32, {{"mode", "raw"}})};
  const SettingsResolver types = resolver(rules);
  for (const std::size_t bytes : {std::size_t{1000}, std::size_t{2} << 20U}) {
    const EffectiveSettings& common = types.common(Operation::bcast, bytes);
    const Plan all = choose(common.settings, {Operation::bcast, bytes, true});
    EXPECT_NE(all.tier, Tier::raw);
    for (const auto type :
         {ElementType::float32, ElementType::float64, ElementType::int32, ElementType::bytes}) {
      const EffectiveSettings& own = types.of({Operation::bcast, bytes, type});
      const Plan plan = choose(own.settings, {Operation::bcast, bytes, true});
      EXPECT_TRUE(all.pipelined || !plan.pipelined);
    }
  }
  EXPECT_EQ(types.of({Operation::bcast, 1000, ElementType::int32}).settings.mode, Mode::raw);
  EXPECT_EQ(types.of({Operation::bcast, 1000, ElementType::float32}).rule, 2U);
  EXPECT_EQ(types.of({Operation::bcast, 1000, ElementType::bytes}).rule, 0U);
}

TEST(SettingsResolver, RulesBehindOneForEveryTypeAreNotCommon) {
  const std::vector<Rule> rules{rule_for(settings::Datatype::float64, {{"mode", "raw"}}),
                                rule({{"mode", "raw"}}), rule(exact)};
  EXPECT_EQ(resolver(rules).common(Operation::bcast, 1000).settings.mode, Mode::raw);
}

Rule rule_at(const std::string& where, const Overrides& overrides) {
  Rule made = rule(overrides);
  made.where = where;
  return made;
}

TEST(SettingsResolver, RulesGoByThePlaceOfTheCall) {
  const std::vector<Rule> rules{rule_at("exchange_*", exact), rule_for(Operation::send, adaptive)};
  const SettingsResolver by_place = resolver(rules);
  const auto rule_of = [&](const std::vector<std::string>& names) {
    const std::vector<bool> at = rules_for_place(rules, names);
    CallFacts call = some_call;
    call.at_place = &at;
    return by_place.of(call).rule;
  };
  EXPECT_EQ(rule_of({"exchange_halo"}), 1U);
  EXPECT_EQ(rule_of({"field::halo", "exchange_halo"}), 1U);
  EXPECT_EQ(rule_of({"sum"}), 0U);
  EXPECT_EQ(rule_of({}), 0U);
  EXPECT_EQ(by_place.of(some_call).rule, 0U);
}

TEST(SettingsResolver, SaysWhetherThePlaceCounts) {
  const std::vector<Rule> rules{rule_for(Operation::send, exact), rule_at("halo", exact)};
  const SettingsResolver some = resolver(rules);
  EXPECT_TRUE(some.depends_on_place(some_call));
  EXPECT_FALSE(some.depends_on_place({Operation::send, 5000, ElementType::float64}));
  EXPECT_FALSE(resolver({rule(exact), rule_at("halo", exact)}).depends_on_place(some_call));
}

// Receivers do not know where the sender's call stands.
TEST(SettingsResolver, WhatIsCommonIsTheStrongestOfAnyPlace) {
  const std::vector<Rule> rules{rule_at("halo", exact), rule({{"mode", "raw"}})};
  EXPECT_EQ(resolver(rules).common(Operation::bcast, 5000).settings.mode, Mode::exact);
  const std::vector<Rule> hidden{rule({{"mode", "raw"}}), rule_at("halo", exact)};
  EXPECT_EQ(resolver(hidden).common(Operation::bcast, 5000).settings.mode, Mode::raw);
}

}  // namespace
}  // namespace tightwire::policy
