// Communicators of our own, so that our messages can never match the program's.
#pragma once

#include <mpi.h>

#include <mutex>

namespace tightwire::mpi {

// Of the same ranks in the same order. A split rather than a duplicate: a duplicate would run the
// program's attribute copy functions. Errors are returned. Collective; throws MpiError.
[[nodiscard]] MPI_Comm private_copy(MPI_Comm comm);

// The same where MPI may have none left: MPI_COMM_NULL, on all ranks. `comm` returns errors.
[[nodiscard]] MPI_Comm private_copy_if_possible(MPI_Comm comm);

// Of this process alone: for packing, and for asking MPI what it thinks of arguments. MPI_COMM_NULL
// where there is no private world (world.h), which is opened and closed with it.
struct Self {
  MPI_Comm comm = MPI_COMM_NULL;
  std::mutex messages;  // to be held while a message to oneself is under way
};
[[nodiscard]] Self& self();

}  // namespace tightwire::mpi
