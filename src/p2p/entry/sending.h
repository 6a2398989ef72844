// Beginning a send that goes as a frame.
#pragma once

#include <mpi.h>

#include "p2p/request/requests.h"

namespace tightwire::p2p {

struct Sending {
  int (*mpi)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  mpi::Buffer user;
  const mpi::Route* route;
  int destination;
  int tag;
  MPI_Comm comm;
  const char* call;
};

// Codes the message and hands it to one of MPI's non-blocking sends; as it came, where there is no
// memory for more. Returns MPI's code. Throws MpiError, and std::bad_alloc for what cannot go as it
// came, or not be known to.
int begin(Request& request, const Sending& sending);

// The route of a message of `bytes` that must be a frame, else nullptr. Throws MpiError.
[[nodiscard]] const mpi::Route* framing_route(std::size_t bytes, int peer, MPI_Comm comm);

}  // namespace tightwire::p2p
