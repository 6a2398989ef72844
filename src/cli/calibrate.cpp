// tightwire calibrate: the program that measures is an MPI program, one for each family.
#include "cli/commands.h"
#include "cli/evidence.h"
#include "cli/launch.h"
#include "cli/refuse.h"

namespace tightwire::cli {
namespace {

constexpr std::string_view mpi_option = "--mpi";

// Takes --mpi and its value out of the arguments; nothing if it is not there.
std::optional<std::string> take_mpi(Arguments& arguments) {
  for (auto word = arguments.begin(); word != arguments.end(); ++word) {
    if (word->starts_with(std::string(mpi_option) + "=")) {
      std::string value = word->substr(mpi_option.size() + 1);
      arguments.erase(word);
      return value;
    }
    if (*word == mpi_option) {
      const bool last = word + 1 == arguments.end();
      std::string value = last ? "" : *(word + 1);
      arguments.erase(word, last ? word + 1 : word + 2);
      return value;
    }
  }
  return std::nullopt;
}

}  // namespace

int run_calibrate(const Arguments& arguments) {
  const Job job = read_job(process_environment());
  const Installation installation;
  Options options;
  Arguments rest = arguments;
  Evidence evidence{"calibrate", {}, std::nullopt, installed_families(installation)};
  if (const auto wish = take_mpi(rest)) {
    evidence.wish = family_named(*wish);
    if (!evidence.wish) {
      return refuse(
          job, Reach::job,
          "tightwire: --mpi \"" + *wish + "\" is not known; use " + std::string(families_to_choose),
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
  options.program = rest;
  options.program.insert(options.program.begin(), *program);
  return launch(options, job);
}

}  // namespace tightwire::cli
