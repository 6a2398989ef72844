// tightwire [OPTIONS] PROGRAM [ARGUMENTS...] | tightwire COMMAND [ARGUMENTS...]
#include <cstdio>

#include "cli/commands.h"
#include "cli/launch/refuse.h"
#include "cli/run_program.h"
#include "os/trust.h"

namespace tightwire::cli {
namespace {

int run(const Arguments& arguments) {
  if (os::has_gained_rights()) {
    print_error(
        "tightwire: this command is setuid, setgid or has file capabilities; it needs no rights of "
        "its own: remove them (chmod u-s,g-s; setcap -r)");
    return usage;
  }
  if (!arguments.empty()) {
    if (const Command* command = find_command(arguments[0])) {
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
