// tightwire [OPTIONS] PROGRAM [ARGUMENTS...], and the commands that run a program as it does.
#pragma once

#include "cli/options.h"

namespace tightwire::cli {

// Prints what the options ask for, or runs the program in place of this process. Returns the exit
// code where it does not come to that.
[[nodiscard]] int run_program(const Options& options);

}  // namespace tightwire::cli
