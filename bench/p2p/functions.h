// The measured calls twice: as a program makes them, which is under Tightwire, and MPI's own.
#pragma once

#include <mpi.h>

namespace tightwire::p2p_bench {

struct Functions {
  decltype(&MPI_Send) send = nullptr;
  decltype(&MPI_Recv) recv = nullptr;
  decltype(&MPI_Isend) isend = nullptr;
  decltype(&MPI_Irecv) irecv = nullptr;
  decltype(&MPI_Waitall) waitall = nullptr;
};

[[nodiscard]] const Functions& called_by_programs();
[[nodiscard]] const Functions& plain_mpi();

}  // namespace tightwire::p2p_bench
