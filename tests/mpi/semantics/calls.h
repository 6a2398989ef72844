// The MPI calls of one half of a message, by its mode and way.
#pragma once

#include <mpi.h>

#include "buffer.h"
#include "communicators.h"
#include "plan.h"

namespace semantics {

// An operation's arguments as MPI takes them.
struct Call {
  void* address = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int peer = 0;
  int tag = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  bool large_count = false;
};

[[nodiscard]] Call call_of(const Operation& operation, const Communicator& comm, Buffer& buffer);

// All return MPI's code.
int send(const Call& call, SendMode mode);
int start_send(const Call& call, SendMode mode, MPI_Request* request);
int init_send(const Call& call, SendMode mode, MPI_Request* request);
int receive(const Call& call, MPI_Status* status);
int start_receive(const Call& call, MPI_Request* request);
int init_receive(const Call& call, MPI_Request* request);
int receive_matched(const Call& call, MPI_Message* matched, MPI_Status* status);
int start_receive_matched(const Call& call, MPI_Message* matched, MPI_Request* request);
int sendrecv(const Call& sent, const Call& received, MPI_Status* status);
int sendrecv_replace(const Call& sent, const Call& received, MPI_Status* status);
// By MPI_Isendrecv and MPI_Wait where there is one, else as sendrecv().
int isendrecv(const Call& sent, const Call& received);

}  // namespace semantics
