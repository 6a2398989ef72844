// Completing lists of requests of which some are ours: the work behind MPI_Wait* and MPI_Test*.
#pragma once

#include <mpi.h>

#include <new>

#include "collective/failure.h"
#include "p2p/progress.h"

namespace tightwire::p2p {

// All throw MpiError and std::bad_alloc; statuses may be MPI_STATUS(ES)_IGNORE.
int wait_for_all(RequestList& list, MPI_Status* statuses);
int test_all(RequestList& list, int* flag, MPI_Status* statuses);
// The list has active requests: one of ours at least.
int test_any(RequestList& list, int* index, int* flag, MPI_Status* status);
int test_some(RequestList& list, int* outcount, int* indices, MPI_Status* statuses);

// Runs `body`, which returns an MPI code; nothing escapes but such a code. Requests belong to no
// communicator that the call names, so what goes wrong here is raised on MPI_COMM_WORLD.
template <class Body>
int completing(Body&& body) {
  try {
    return body();
  } catch (const collective::MpiError& error) {
    return collective::raise(error, "completing a request", MPI_COMM_WORLD);
  } catch (const std::bad_alloc&) {
    return collective::raise(collective::MpiError{MPI_ERR_NO_MEM}, "completing a request",
                             MPI_COMM_WORLD);
  }
}

}  // namespace tightwire::p2p
