// What the environment says of the job: who started this process, and as which rank. Launchers
// (mpirun, srun) tell their processes by variables; there is no MPI here yet.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/launch/family.h"

namespace tightwire::cli {

using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// The variables of this process.
[[nodiscard]] Environment process_environment();

struct Job {
  std::string launcher;  // "Open MPI's mpirun"; empty if none is seen
  std::optional<Family> family;
  // Only programs of `family` can be started by this launcher.
  bool only_this_family = false;
  std::optional<long> rank;
  std::optional<long> local_rank;  // on this host
  // Where MPICH's mpirun takes commands from its processes (PMI version 1).
  std::optional<int> pmi_descriptor;
  // The first rank of its program; several where mpirun starts several programs (a : b).
  bool first_of_program = false;
};

[[nodiscard]] std::string host_name();

[[nodiscard]] Job read_job(const Environment& environment);

}  // namespace tightwire::cli
