// The measured collectives twice: as a program calls them, which is under Tightwire, and MPI's own.
// So one process can measure both in alternation.
#pragma once

#include <mpi.h>

namespace tightwire::bench {

struct Functions {
  decltype(&MPI_Allreduce) allreduce = nullptr;
  decltype(&MPI_Reduce) reduce = nullptr;
  decltype(&MPI_Bcast) bcast = nullptr;
};

[[nodiscard]] const Functions& called_by_programs();

// Found in the MPI library itself, behind whatever is preloaded in front of it.
[[nodiscard]] const Functions& plain_mpi();

}  // namespace tightwire::bench
