// The launcher's command line: tightwire [OPTIONS] PROGRAM [ARGUMENTS...].
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/launch/family.h"
#include "settings/settings.h"

namespace tightwire::cli {

using Arguments = std::vector<std::string>;

struct Options {
  std::vector<std::pair<std::string, std::string>> settings;  // key and value, as given
  std::string config;                                         // --config, or empty
  std::optional<Family> mpi;
  bool help = false;
  bool version = false;
  Arguments program;  // the first argument that is no option, and all behind it
  std::string error;  // what is wrong, in the user's terms
};

// `arguments` are those behind the command's name. Values of settings are not judged here.
[[nodiscard]] Options parse_options(const Arguments& arguments);

// Takes --mpi and its value, which may be missing, out of arguments whose rest is for another
// program; nothing if it is not there.
[[nodiscard]] std::optional<std::string> take_mpi(Arguments& arguments);

// Where load() finds these settings: the options above what this process has.
[[nodiscard]] settings::Sources sources_of(const Options& options);

}  // namespace tightwire::cli
