// Completing lists of requests of which some are ours: the work behind MPI_Wait* and MPI_Test*.
#pragma once

#include <mpi.h>

#include "mpi/call.h"
#include "p2p/completion/catch_up.h"
#include "p2p/completion/request_list.h"

namespace tightwire::p2p {

// All throw MpiError and std::bad_alloc; statuses may be MPI_STATUS(ES)_IGNORE.
int wait_for_all(RequestList& list, MPI_Status* statuses);
int test_all(RequestList& list, int* flag, MPI_Status* statuses);
int test_any(RequestList& list, int* index, int* flag, MPI_Status* status);
int test_some(RequestList& list, int* outcount, int* indices, MPI_Status* statuses);

// As mpi::guarded(). Requests belong to no communicator that the call names, so what goes
// wrong here is raised on MPI_COMM_WORLD.
template <class Body>
int completing(const char* function, Body&& body) {
  return mpi::guarded({function}, MPI_COMM_WORLD, [&] { return caught_up(body()); });
}

}  // namespace tightwire::p2p
