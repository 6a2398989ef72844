// Which MPI family's preload library the program gets, and why. A pure function.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/launch/family.h"
#include "cli/launch/job.h"

namespace tightwire::cli {

struct Evidence {
  std::string program;              // as the user wrote it
  std::vector<std::string> mpi;     // names of the MPI libraries that it would load
  std::optional<Family> requested;  // --mpi
  std::vector<Family> installed;    // families that there is a preload library for
};

struct Decision {
  std::optional<Family> family;  // none: the program runs as it is
  std::string because;           // "it is linked to libmpi.so.40"
  std::string error;             // it must not run; the words say what to do
  std::string warning;           // it runs, but hardly as the user meant
};

[[nodiscard]] Decision decide(const Evidence& evidence, const Job& job);

}  // namespace tightwire::cli
