// What `tightwire explain` says of rules.
#pragma once

#include <string>

#include "policy/settings_resolver.h"
#include "settings/settings.h"

namespace tightwire::cli {

// Which rule the call meets, and the settings that are in force for it; empty where the job has no
// file of settings.
[[nodiscard]] std::string rule_text(const settings::Loaded& loaded,
                                    const policy::EffectiveSettings& effective);

// Says that an answer is about what would be, where point-to-point is off.
[[nodiscard]] std::string if_on_text(const settings::Loaded& loaded, const policy::CallFacts& call);

// Why a message between two ranks goes as it is, whatever its data; empty if it does not.
[[nodiscard]] std::string why_no_frame(const settings::Loaded& loaded,
                                       const policy::CallFacts& call);

}  // namespace tightwire::cli
