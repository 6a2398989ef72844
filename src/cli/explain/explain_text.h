// What `tightwire explain` prints.
#pragma once

#include <string>

#include "policy/explain.h"

namespace tightwire::cli {

// A headline, the choice, a table of all ways, the reasons. `link_given`: not merely assumed.
[[nodiscard]] std::string explanation_text(const std::string& operation, const std::string& type,
                                           const policy::Facts& facts, bool link_given,
                                           const policy::Explanation& explanation);

}  // namespace tightwire::cli
