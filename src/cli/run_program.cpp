#include "cli/run_program.h"

#include "cli/help.h"
#include "cli/launch/launch.h"
#include "cli/launch/refuse.h"

namespace tightwire::cli {
int run_program(const Options& options) {
  if (options.help) return print_text(help_text());
  if (options.version) return print_text("tightwire " TIGHTWIRE_VERSION "\n");
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

}  // namespace tightwire::cli
