// Settings as text for people.
#pragma once

#include <string>
#include <vector>

#include "settings/settings.h"

namespace tightwire::cli {

// One aligned line for each: key, value, place.
[[nodiscard]] std::string settings_list(const std::vector<settings::Entry>& entries);

// One line for each, in order.
[[nodiscard]] std::string rules_list(const std::vector<settings::Rule>& rules);

// The table of docs/user/settings.md.
[[nodiscard]] std::string settings_markdown();

}  // namespace tightwire::cli
