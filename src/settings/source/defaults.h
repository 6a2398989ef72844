// The settings of a job for which nobody has asked anything, and how others differ from them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "settings/settings.h"

namespace tightwire::settings {

[[nodiscard]] Settings defaults();

// What is not the default, as a user may write it, in the order of settings.def. Names of files are
// left out: they are nobody else's business.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> changed(const Settings& settings);

}  // namespace tightwire::settings
