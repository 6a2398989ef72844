// Beginning a receive that may meet a frame.
#pragma once

#include <mpi.h>

#include "p2p/request/requests.h"

namespace tightwire::p2p {

struct Receiving {
  mpi::Buffer user;
  const mpi::Route* route;
  int source;
  int tag;
  MPI_Comm comm;
  const char* call;
};

// Matches a message taken in before, or posts the receive; both as one step where the program has
// threads. With `posted`, that is an MPI request which stands for the receive already and is
// started in place of a new one. Returns MPI's code. Throws MpiError, std::bad_alloc.
int begin(Request& request, const Receiving& receiving, MPI_Request posted = MPI_REQUEST_NULL);

// Has MPI complain of a buffer that no receive may have, before a message that was taken in is
// given to it: that message is another receive's. Returns MPI's code.
[[nodiscard]] int check_receive(const mpi::Buffer& user, MPI_Comm comm);

// The route of a receive that needs looking after, else nullptr: because a frame might come, or
// because its message might have been taken in. Throws MpiError.
[[nodiscard]] const mpi::Route* watched_route(std::size_t bytes, int source, MPI_Comm comm);

}  // namespace tightwire::p2p
