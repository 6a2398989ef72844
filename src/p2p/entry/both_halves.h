// The two halves of MPI_Sendrecv and its relatives, which go on together.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "mpi/buffer.h"
#include "mpi/datatype/byte_segments.h"
#include "p2p/request/send_request.h"

namespace tightwire::p2p {

struct Both {
  mpi::Buffer sent;
  int destination;
  int send_tag;
  mpi::Buffer received;
  int source;
  int receive_tag;
  MPI_Comm comm;
};

// Neither way could a frame be met: the call is passed through unmodified.
[[nodiscard]] bool untouched(std::size_t send_bytes, const void* receive_buffer,
                             std::size_t receive_bytes);

// What is sent must not change while the other's message is received. `segments` are to be kept
// until then.
[[nodiscard]] mpi::Buffer copy_to_send(const mpi::Buffer& user, std::span<std::byte> memory,
                                       mpi::ByteSegments& segments);

// MPI's complaint of either half before the other is posted: the error handler may jump, and a
// receive left behind would take a message of the program's. MPI checks calls with nobody as
// others.
[[nodiscard]] int check_both(const Both& both);

[[nodiscard]] SendCall send_call(const Both& both, const char* function);

// Encodes the message and announces it. The receive comes after that: MPI would grant what the
// other side has announced for it before ours (state/expected_bytes.h). But what the receive will
// take counts. Returns MPI's code.
[[nodiscard]] int announce(SendRequest& sending, const Both& both, const SendCall& call);

}  // namespace tightwire::p2p
