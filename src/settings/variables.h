// TIGHTWIRE_ variables of the environment that are no settings.
#pragma once

#include <string_view>

namespace tightwire::settings {

// Those of variables.def, and everything that begins with TIGHTWIRE_TEST_ or TIGHTWIRE_LAB.
[[nodiscard]] bool is_other_variable(std::string_view name);

}  // namespace tightwire::settings
