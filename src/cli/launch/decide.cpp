#include "cli/launch/decide.h"

namespace tightwire::cli {
namespace {

std::string of(Family family, const std::string& library) {
  return std::string(title_of(family)) + " (" + library + ")";
}

std::string library_of(const Evidence& evidence, Family family) {
  for (const std::string& library : evidence.mpi) {
    if (family_of_library(library) == family) return library;
  }
  return "";
}

Decision decide_linked(const Evidence& evidence, const Job& job, Family family) {
  Decision decision;
  const std::string library = library_of(evidence, family);
  if (evidence.requested && *evidence.requested != family) {
    decision.error = "--mpi " + std::string(key_of(*evidence.requested)) + ": " + evidence.program +
                     " is linked to " + of(family, library) +
                     "; leave --mpi out, it is for programs that load MPI later, as Python does";
    return decision;
  }
  decision.family = family;
  decision.because = "it is linked to " + library;
  // Every MPI with the standard ABI has a mpirun of its own.
  if (job.only_this_family && job.family && *job.family != family && family != Family::abi) {
    decision.warning = evidence.program + " is linked to " + of(family, library) +
                       " but was started by " + job.launcher +
                       ": each rank will believe that it is alone; use " +
                       std::string(title_of(family)) + "'s mpirun";
  }
  return decision;
}

Decision decide_unlinked(const Evidence& evidence, const Job& job) {
  Decision decision;
  if (evidence.requested) {
    decision.family = evidence.requested;
    decision.because = "of --mpi " + std::string(key_of(*evidence.requested));
  } else if (job.family) {
    decision.family = job.family;
    decision.because = "it was started by " + job.launcher;
  } else if (!job.launcher.empty() && evidence.installed.size() == 1) {
    decision.family = evidence.installed[0];
    decision.because = "it is the only MPI that Tightwire is installed for";
  } else if (!job.launcher.empty()) {
    decision.error = "cannot tell which MPI " + evidence.program +
                     " uses: it is linked to none, and " + job.launcher +
                     " does not say; add --mpi with one of " + std::string(families_to_choose);
  } else {
    decision.because = "it is linked to no MPI and no MPI launcher is seen";
  }
  return decision;
}

}  // namespace

Decision decide(const Evidence& evidence, const Job& job) {
  std::vector<Family> linked;
  for (const Family family : families) {
    if (!library_of(evidence, family).empty()) linked.push_back(family);
  }
  if (linked.empty()) return decide_unlinked(evidence, job);
  if (linked.size() == 1) return decide_linked(evidence, job, linked[0]);
  Decision decision;
  decision.error =
      evidence.program + " loads two MPIs, " + of(linked[0], library_of(evidence, linked[0])) +
      " and " + of(linked[1], library_of(evidence, linked[1])) +
      "; build it and its libraries with one of them (ldd " + evidence.program + " lists them)";
  return decision;
}

}  // namespace tightwire::cli
