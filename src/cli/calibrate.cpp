// tightwire calibrate: the program that measures is an MPI program, one for each family.
#include "cli/commands.h"
#include "cli/launch/evidence.h"
#include "cli/launch/launch.h"
#include "cli/launch/refuse.h"
#include "os/trust.h"

namespace tightwire::cli {

int run_calibrate(const Arguments& arguments) {
  const Job job = read_job(process_environment());
  const Installation installation;
  Options options;
  Arguments rest = arguments;
  Evidence evidence{"calibrate", {}, std::nullopt, installed_families(installation)};
  if (const auto requested = take_mpi(rest)) {
    evidence.requested = family_named(*requested);
    if (!evidence.requested) {
      return refuse(job, Reach::job,
                    "tightwire: --mpi \"" + *requested + "\" is not known; use " +
                        std::string(families_to_choose),
                    usage);
    }
  }
  const Decision decision = decide(evidence, job);
  if (!decision.error.empty()) {
    return refuse(job, Reach::host, "tightwire: " + decision.error, usage);
  }
  if (!decision.family) {
    return refuse(job, Reach::job,
                  "tightwire: calibrate measures between the ranks of a job; write mpirun -n 4 "
                  "tightwire calibrate",
                  usage);
  }
  const std::string name = "tightwire-calibrate-" + std::string(key_of(*decision.family));
  const auto program = installation.helper(name);
  if (!program) {
    return refuse(job, Reach::host,
                  "tightwire: the program " + name + " is not installed; build Tightwire with " +
                      std::string(title_of(*decision.family)) + " on the machine",
                  not_found);
  }
  if (const std::string fault = os::distrust_of_installed(*program, "run"); !fault.empty()) {
    return refuse(job, Reach::host, "tightwire: " + fault, usage);
  }
  options.mpi = decision.family;
  options.program = rest;
  options.program.insert(options.program.begin(), *program);
  return launch(options, job);
}

}  // namespace tightwire::cli
