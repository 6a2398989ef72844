// What the launcher leaves in the environment for the library that it preloads.
#pragma once

#include <string>

#include "cli/options.h"

namespace tightwire::cli {

// Sets the settings of the command line as TIGHTWIRE_ variables, names them in
// TIGHTWIRE_COMMAND_LINE, and pins the file of settings that was read by its absolute path, because
// a program may change its folder before it calls MPI_Init. Changes this process's environment.
void hand_over_settings(const Options& options, const settings::Loaded& loaded);

// Puts `library` at the end of LD_PRELOAD, once: a tool of the user's that stands there sees the
// program's calls first, and its own calls of PMPI_ functions come to us (MPI 4.0, section 15.2).
void hand_over_preload(const std::string& library);

// `library` at the end of an LD_PRELOAD as it stands; unchanged if it is in it already.
[[nodiscard]] std::string with_preload(const std::string& library, const std::string& preload);

// LD_PRELOAD is split at spaces and colons and knows no quoting.
[[nodiscard]] bool can_be_preloaded(const std::string& library);

}  // namespace tightwire::cli
