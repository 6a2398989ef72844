// A profile as JSON: docs/user/audit.md.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "audit/profile.h"
#include "policy/cost/network.h"

namespace tightwire::audit {

[[nodiscard]] std::string to_json(const Profile& profile);
// With what is forecast from it: the gain of each choice, and why calls are left alone without a
// bound. from_json() passes over that.
[[nodiscard]] std::string to_json_with_forecast(const Profile& profile,
                                                const policy::Network& network);

// The profile, or what is wrong with the text, completing "the file ...": "is no audit".
[[nodiscard]] std::variant<Profile, std::string> from_json(std::string_view text);

}  // namespace tightwire::audit
