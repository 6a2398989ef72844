// The measured calls twice: as a program makes them, which is under Tightwire, and MPI's own.
// So one process can measure both in alternation.
#pragma once

#include <mpi.h>

namespace tightwire::calibrate {

struct Functions {
  decltype(&MPI_Allreduce) allreduce = nullptr;
  decltype(&MPI_Reduce) reduce = nullptr;
  decltype(&MPI_Bcast) bcast = nullptr;
  decltype(&MPI_Allgather) allgather = nullptr;
  decltype(&MPI_Alltoall) alltoall = nullptr;
  decltype(&MPI_Reduce_scatter) reduce_scatter = nullptr;
  decltype(&MPI_Scatter) scatter = nullptr;
  decltype(&MPI_Gather) gather = nullptr;
  decltype(&MPI_Send) send = nullptr;
  decltype(&MPI_Recv) recv = nullptr;
  decltype(&MPI_Isend) isend = nullptr;
  decltype(&MPI_Irecv) irecv = nullptr;
  decltype(&MPI_Waitall) waitall = nullptr;
};

[[nodiscard]] const Functions& called_by_programs();

// Found in the MPI library itself, behind whatever is preloaded in front of it.
[[nodiscard]] const Functions& plain_mpi();

// Any one function of the MPI library by its PMPI_ name, found in the same way. Ends the process if
// there is none.
[[nodiscard]] void* plain_function(const char* name);

template <class Function>
void find_plain(const char* name, Function& function) {
  function = reinterpret_cast<Function>(plain_function(name));
}

}  // namespace tightwire::calibrate
