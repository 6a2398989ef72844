#include "cli/commands.h"

namespace tightwire::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
#define TIGHTWIRE_COMMAND(name, function, usage, summary) {name, function, usage, summary},
#include "cli/commands.def"
#undef TIGHTWIRE_COMMAND
  };
  return all;
}

const Command* find_command(std::string_view name) {
  for (const Command& command : commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

}  // namespace tightwire::cli
