// Inside of src/settings: what load() needs of the table beyond settings.h.
#pragma once

#include "settings/settings.h"

namespace tightwire::settings {

// "error-bound" -> "TIGHTWIRE_ERROR_BOUND"
[[nodiscard]] std::string variable_of(std::string_view key);

[[nodiscard]] Problem unknown_key(std::string_view key, std::string_view value,
                                  std::string_view place);

// Every setting as text, in the order of settings.def.
[[nodiscard]] std::vector<std::string> printed_values(const Settings& settings);

}  // namespace tightwire::settings
