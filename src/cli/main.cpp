// tightwire [OPTIONS] PROGRAM [ARGUMENTS...] | tightwire COMMAND [ARGUMENTS...]
#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/launch/job.h"
#include "cli/launch/refuse.h"
#include "cli/run_program.h"
#include "os/trust.h"

namespace tightwire::cli {
namespace {

bool asks_for_help(const Arguments& arguments) {
  return arguments.size() == 2 && (arguments[1] == "--help" || arguments[1] == "-h");
}

// Those that have arguments of their own to explain; the program of calibrate does so in a job.
bool has_help_of_its_own(std::string_view command) {
  if (command == "calibrate") return !read_job(process_environment()).launcher.empty();
  constexpr std::array<std::string_view, 4> commands{"compress", "expand", "inspect", "plot"};
  return std::find(commands.begin(), commands.end(), command) != commands.end();
}

int run(const Arguments& arguments) {
  if (os::has_gained_rights()) {
    print_error(
        "tightwire: this command is setuid, setgid or has file capabilities; it needs no rights of "
        "its own: remove them (chmod u-s,g-s; setcap -r)");
    return usage;
  }
  if (!arguments.empty()) {
    if (const Command* command = find_command(arguments[0])) {
      if (asks_for_help(arguments) && !has_help_of_its_own(command->name)) {
        std::fputs(help_text(*command).c_str(), stdout);
        return success;
      }
      return command->function({arguments.begin() + 1, arguments.end()});
    }
  }
  return run_program(parse_options(arguments));
}

}  // namespace
}  // namespace tightwire::cli

int main(int count, char** words) {
  return tightwire::cli::run({words + (count > 0 ? 1 : 0), words + count});
}
