// The settings in force for a call: the job's, changed by the first rule that the call matches, and
// those by the hints of its communicator. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "codec/codec.h"
#include "policy/call.h"
#include "settings/settings.h"

namespace tightwire::policy {

struct EffectiveSettings {
  settings::Settings settings;
  std::size_t hash = 0;  // of the settings
  std::size_t rule = 0;  // the n-th one, from 1; 0: none
};

// What one rank knows of a message that it sends, or all of a reduction.
struct CallFacts {
  Operation operation = Operation::bcast;
  std::size_t bytes = 0;
  codec::ElementType type = codec::ElementType::bytes;
  bool other_host = true;  // of messages between two ranks
  // Which rules are for the place in the program that makes the call. nullptr: not known, so that
  // it meets none of those that go by places.
  const std::vector<bool>* at_place = nullptr;
};

// For each rule whether it is for communicators of that name.
[[nodiscard]] std::vector<bool> rules_for_name(std::span<const settings::Rule> rules,
                                               const std::string& name);

// For each rule whether it is for calls from a function, which may go by several names.
[[nodiscard]] std::vector<bool> rules_for_place(std::span<const settings::Rule> rules,
                                                std::span<const std::string> names);

// For the calls on one communicator. Immutable: thread safe.
class SettingsResolver {
 public:
  // `rules` live as long as it; `for_name` is of rules_for_name().
  SettingsResolver(const settings::Settings& job, std::span<const settings::Rule> rules,
                   const std::vector<bool>& for_name, const settings::Overrides& hints);

  [[nodiscard]] const EffectiveSettings& of(const CallFacts& call) const;

  // Whether that depends on the place that makes the call.
  [[nodiscard]] bool depends_on_place(const CallFacts& call) const;

  // Of data that is only moved, where only senders know the type and the place: the settings that
  // all ranks use, who know the size alone. They compress if those of any type or place would, so
  // that a sender's own settings never compress more.
  [[nodiscard]] const EffectiveSettings& common(Operation operation, std::size_t bytes) const;

  // No call is ever compressed.
  [[nodiscard]] bool all_raw() const { return all_raw_; }

 private:
  struct Entry {
    const settings::Rule* rule;
    EffectiveSettings effective;
  };

  [[nodiscard]] static bool holds_at(const Entry& entry, const CallFacts& call);

  std::vector<Entry> entries_;
  EffectiveSettings otherwise_;
  bool all_raw_ = true;
};

}  // namespace tightwire::policy
