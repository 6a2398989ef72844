// tightwire [OPTIONS] PROGRAM [ARGUMENTS...] | tightwire COMMAND [ARGUMENTS...]
#include <cstdio>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/launch/launch.h"
#include "cli/launch/refuse.h"
#include "os/trust.h"

namespace tightwire::cli {
namespace {

int print(const std::string& text) {
  const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return written ? success : failure;
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
      return command->function({arguments.begin() + 1, arguments.end()});
    }
  }
  const Options options = parse_options(arguments);
  if (options.help) return print(help_text());
  if (options.version) return print("tightwire " TIGHTWIRE_VERSION "\n");
  const Job job = read_job(process_environment());
  if (!options.error.empty()) {
    return refuse(job, Reach::job, "tightwire: " + options.error, usage);
  }
  if (options.program.empty()) {
    return refuse(
        job, Reach::job,
        "tightwire: there is no program to run; write mpirun -n 4 tightwire ./app, or see "
        "tightwire --help",
        usage);
  }
  return launch(options, job);
}

}  // namespace
}  // namespace tightwire::cli

int main(int count, char** words) {
  return tightwire::cli::run({words + (count > 0 ? 1 : 0), words + count});
}
