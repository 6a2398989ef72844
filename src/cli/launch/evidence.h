// Gathers what decide() wants to know.
#pragma once

#include <string>
#include <vector>

#include "cli/installation.h"
#include "cli/launch/decide.h"
#include "cli/program/loader.h"
#include "cli/program/program.h"

namespace tightwire::cli {

[[nodiscard]] std::vector<Family> installed_families(const Installation& installation);

[[nodiscard]] Evidence gather(const Program& program, const Libraries& libraries,
                              std::optional<Family> requested, const Installation& installation);

// Why the family's preload library cannot be used; empty if it can.
[[nodiscard]] std::string preload_fault(const Installation& installation, Family family);

// Why nothing can be loaded into the program; empty if it can. Completes "./app ...".
[[nodiscard]] std::string why_not_preload(const Program& program);

// Why the program cannot be started at all; empty if it can. A whole sentence with advice.
[[nodiscard]] std::string cannot_start(const Program& program);

}  // namespace tightwire::cli
