// Runs the user's program in place of this process, with Tightwire in it.
#pragma once

#include "cli/launch/job.h"
#include "cli/options.h"

namespace tightwire::cli {

// Returns only if the program cannot be started, with the exit code; options.program is not empty.
[[nodiscard]] int launch(const Options& options, const Job& job);

// The lines of all problems.
[[nodiscard]] std::string describe_all(const std::vector<settings::Problem>& problems);

}  // namespace tightwire::cli
