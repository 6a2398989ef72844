// The commands of commands.def: tightwire NAME ARGUMENTS...
#pragma once

#include <string_view>
#include <vector>

#include "cli/options.h"

namespace tightwire::cli {

#define TIGHTWIRE_COMMAND(name, function, usage, summary) \
  [[nodiscard]] int function(const Arguments& arguments);
#include "cli/commands.def"
#undef TIGHTWIRE_COMMAND

struct Command {
  std::string_view name;
  int (*function)(const Arguments& arguments);
  std::string_view usage;
  std::string_view summary;
};

[[nodiscard]] const std::vector<Command>& commands();

// nullptr if there is none of this name.
[[nodiscard]] const Command* find_command(std::string_view name);

}  // namespace tightwire::cli
