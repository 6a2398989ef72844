// An audit in words. Pure functions; each text ends in a newline.
#pragma once

#include <string>

#include "audit/forecast.h"

namespace tightwire::audit {

// What would be gained, by which settings, and how to ask for them. `assumed`: a link that was not
// measured in the job.
[[nodiscard]] std::string advice(const Profile& profile, const policy::Network& network);

// The calls that send the most, and what their values would shrink to.
[[nodiscard]] std::string table_of_calls(const Profile& profile, const policy::Network& network);

// A tightwire.toml with a rule for each place in the program whose values would gain by a bound, as
// comments: which bound is right only the user knows. Empty where there is none.
[[nodiscard]] std::string rules_to_paste(const Profile& profile, const policy::Network& network);

}  // namespace tightwire::audit
