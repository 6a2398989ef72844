// The settings in force for a reduction, the same on all ranks.
#pragma once

#include "collective/plan/form.h"
#include "policy/settings_resolver.h"

namespace tightwire::collective {

// Where they would have to be agreed on and that may not be waited for, there are none. Ranks may
// come from different places of the program, for which different rules may hold: where that can be
// they compare, which waits for all of them, and nothing is returned where they differ. Throws
// MpiError.
[[nodiscard]] const policy::EffectiveSettings* agreed_settings(policy::CallFacts call,
                                                               const CalledOn& on);

}  // namespace tightwire::collective
