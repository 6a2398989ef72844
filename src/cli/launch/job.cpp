#include "cli/launch/job.h"

#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <sstream>
#include <utility>

namespace tightwire::cli {
namespace {

std::optional<long> number(const std::string& text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The first of these variables that holds a number.
std::optional<long> first_number(const Environment& environment,
                                 std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto text = environment(name);
    if (const auto value = text ? number(*text) : std::nullopt) return value;
  }
  return std::nullopt;
}

// Open MPI tells the number of ranks of each program: "2 2". (OMPI_FIRST_RANKS of version 4.1 is
// wrong.)
bool is_first_of_program(const Environment& environment, long rank) {
  std::istringstream counts(environment("OMPI_APP_CTX_NUM_PROCS").value_or(""));
  long first = 0;
  for (long count = 0; first < rank && counts >> count;) {
    if (count < 0 || count > rank - first) return false;
    first += count;
  }
  return first == rank;
}

void find_launcher(const Environment& environment, Job& job) {
  const auto is_set = [&](const char* name) { return environment(name).has_value(); };
  if (is_set("OMPI_COMM_WORLD_SIZE")) {
    job.launcher = "Open MPI's mpirun";
    job.family = Family::openmpi;
    job.only_this_family = true;
  } else if (is_set("PMI_RANK") && is_set("MPI_LOCALRANKID")) {
    job.launcher = "MPICH's mpirun";
    job.family = Family::mpich;
    job.only_this_family = true;
    const auto descriptor = number(environment("PMI_FD").value_or(""));
    if (descriptor && std::in_range<int>(*descriptor)) {
      job.pmi_descriptor = static_cast<int>(*descriptor);
    }
  } else if (is_set("PMI_RANK") || is_set("PMI_FD")) {
    job.launcher = "a launcher with PMI, such as srun --mpi=pmi2";
    job.family = Family::mpich;
  } else if (is_set("PMIX_RANK")) {
    job.launcher = "a launcher with PMIx, such as srun --mpi=pmix";
    job.family = Family::openmpi;
  } else if (is_set("SLURM_STEP_ID") && is_set("SLURM_PROCID")) {
    job.launcher = "srun";
  }
}

}  // namespace

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

Job read_job(const Environment& environment) {
  Job job;
  find_launcher(environment, job);
  job.rank = first_number(environment, {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                        "MV2_COMM_WORLD_RANK", "PALS_RANKID", "ALPS_APP_PE",
                                        "FLUX_TASK_RANK", "JSM_NAMESPACE_RANK", "SLURM_PROCID"});
  job.local_rank = first_number(
      environment,
      {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
       "PALS_LOCAL_RANKID", "FLUX_TASK_LOCAL_ID", "JSM_NAMESPACE_LOCAL_RANK", "SLURM_LOCALID"});
  job.first_of_program = !job.rank || is_first_of_program(environment, *job.rank);
  return job;
}

}  // namespace tightwire::cli
