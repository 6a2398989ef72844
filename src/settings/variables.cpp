#include "settings/variables.h"

#include <algorithm>
#include <array>

namespace tightwire::settings {

bool is_other_variable(std::string_view name) {
  static constexpr std::array names{
#define TIGHTWIRE_VARIABLE(name, help) std::string_view(name),
#include "settings/variables.def"
#undef TIGHTWIRE_VARIABLE
  };
  return name.starts_with("TIGHTWIRE_TEST_") || name.starts_with("TIGHTWIRE_LAB") ||
         std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace tightwire::settings
