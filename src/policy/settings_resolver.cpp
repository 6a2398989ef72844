#include "policy/settings_resolver.h"

#include <fnmatch.h>

#include <algorithm>
#include <functional>

#include "policy/choose.h"

namespace tightwire::policy {
namespace {

using settings::Datatype;
using settings::Rule;

constexpr Datatype datatype_of(codec::ElementType type) {
  switch (type) {
    case codec::ElementType::int8:
      return Datatype::int8;
    case codec::ElementType::int16:
      return Datatype::int16;
    case codec::ElementType::int32:
      return Datatype::int32;
    case codec::ElementType::int64:
      return Datatype::int64;
    case codec::ElementType::float32:
      return Datatype::float32;
    case codec::ElementType::float64:
      return Datatype::float64;
    case codec::ElementType::bytes:
      break;
  }
  return Datatype::byte;
}

bool matches(const Rule& rule, Operation operation, std::size_t bytes) {
  return rule.operations.test(static_cast<std::size_t>(operation)) &&
         bytes >= rule.min_bytes.value && bytes <= rule.max_bytes.value;
}

bool matches(const Rule& rule, const CallFacts& call) {
  const auto peer = call.other_host ? settings::Peer::other_host : settings::Peer::same_host;
  return matches(rule, call.operation, call.bytes) &&
         rule.datatypes.test(static_cast<std::size_t>(datatype_of(call.type))) &&
         rule.peer.value_or(peer) == peer;
}

EffectiveSettings effective(const settings::Settings& settings, std::size_t rule) {
  return {settings, settings::hash_of(settings), rule};
}

int strength(const EffectiveSettings& candidate, Operation operation, std::size_t bytes) {
  const Plan plan = choose(candidate.settings, {operation, bytes, true});
  return plan.tier == Tier::raw ? 0 : plan.pipelined ? 2 : 1;
}

}  // namespace

std::vector<bool> rules_for_place(std::span<const Rule> rules, std::span<const std::string> names) {
  std::vector<bool> matching;
  for (const Rule& rule : rules) {
    matching.push_back(std::ranges::any_of(names, [&](const std::string& name) {
      return ::fnmatch(rule.where.c_str(), name.c_str(), 0) == 0;
    }));
  }
  return matching;
}

std::vector<bool> rules_for_name(std::span<const Rule> rules, const std::string& name) {
  std::vector<bool> matching;
  for (const Rule& rule : rules) {
    matching.push_back(::fnmatch(rule.communicator.c_str(), name.c_str(), 0) == 0);
  }
  return matching;
}

SettingsResolver::SettingsResolver(const settings::Settings& job, std::span<const Rule> rules,
                                   const std::vector<bool>& for_name,
                                   const settings::Overrides& hints)
    : otherwise_(effective(with(job, hints), 0)) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (!for_name[i]) continue;
    const settings::Settings by_rule = with(job, rules[i].overrides);
    entries_.push_back({&rules[i], effective(with(by_rule, hints), i + 1)});
  }
  const auto raw = [](const EffectiveSettings& each) {
    return each.settings.mode == settings::Mode::raw;
  };
  all_raw_ = raw(otherwise_);
  for (const Entry& entry : entries_) all_raw_ = all_raw_ && raw(entry.effective);
}

const EffectiveSettings& SettingsResolver::of(const CallFacts& call) const {
  for (const Entry& entry : entries_) {
    if (matches(*entry.rule, call) && holds_at(entry, call)) return entry.effective;
  }
  return otherwise_;
}

bool SettingsResolver::depends_on_place(const CallFacts& call) const {
  const auto first = std::ranges::find_if(
      entries_, [&](const Entry& entry) { return matches(*entry.rule, call); });
  return first != entries_.end() && first->rule->goes_by_place();
}

bool SettingsResolver::holds_at(const Entry& entry, const CallFacts& call) {
  if (!entry.rule->goes_by_place()) return true;
  return call.at_place != nullptr && (*call.at_place)[entry.effective.rule - 1];
}

const EffectiveSettings& SettingsResolver::common(Operation operation, std::size_t bytes) const {
  const EffectiveSettings* strongest = nullptr;
  const auto consider = [&](const EffectiveSettings& candidate) {
    if (strongest == nullptr ||
        strength(candidate, operation, bytes) > strength(*strongest, operation, bytes)) {
      strongest = &candidate;
    }
  };
  for (const Entry& entry : entries_) {
    if (!matches(*entry.rule, operation, bytes)) continue;
    // A rule for every type and place hides those after it.
    const bool for_all = entry.rule->datatypes.all() && !entry.rule->goes_by_place();
    if (strongest == nullptr && for_all) return entry.effective;
    consider(entry.effective);
    if (for_all) return *strongest;
  }
  if (strongest == nullptr) return otherwise_;
  consider(otherwise_);
  return *strongest;
}

}  // namespace tightwire::policy
