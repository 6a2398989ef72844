// What tightwire keeps for a communicator of the program: a private communicator for its own
// messages, so that they can never match the program's, and scratch memory.
#pragma once

#include <mpi.h>

#include "collective/scratch.h"

namespace tightwire::collective {

struct Communicator {
  MPI_Comm comm = MPI_COMM_NULL;  // private; MPI_COMM_NULL where nothing is ever compressed
  int rank = 0;
  int size = 1;
  Scratch scratch;

  [[nodiscard]] bool usable() const { return comm != MPI_COMM_NULL; }
};

// Made at the first call for `user`, where it is collective: all ranks must come here in the same
// call. Lives until the program frees its communicator. Throws MpiError.
[[nodiscard]] Communicator& communicator_of(MPI_Comm user);

// Gives back what the never-freed MPI_COMM_WORLD holds. Before MPI_Finalize.
void release_world();

}  // namespace tightwire::collective
