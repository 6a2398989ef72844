// A send whose message goes as a frame.
#pragma once

#include <mpi.h>

#include <new>
#include <optional>
#include <utility>

#include "mpi/buffer.h"
#include "mpi/buffer_pool.h"
#include "mpi/communicator/route.h"
#include "p2p/request/transfer_request.h"
#include "p2p/transfer/buffer/send_buffer.h"
#include "p2p/transfer/outgoing.h"
#include "wire/lengths/frame_length.h"

namespace tightwire::p2p {

// A send of the program.
struct SendCall {
  // The non-blocking send of MPI's that has its mode.
  int (*mpi)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  mpi::Buffer user;
  int destination;
  int tag;
  MPI_Comm comm;
  const char* function;
};

class SendRequest final : public TransferRequest {
 public:
  // Encodes the message, whose route this is. Throws MpiError, std::bad_alloc.
  void encode(const SendCall& call, const mpi::Route& route);
  // As encode(); but without memory for that the message will be passed through unmodified. Throws
  // MpiError, and std::bad_alloc where it would then be taken for a frame.
  void encode_if_possible(const SendCall& call, const mpi::Route& route);

  // MPI may give all sends that are complete at once one and the same handle; or this one a handle
  // of its own, however soon it is complete, for some more work.
  enum class Handle : bool { shared, own };

  // Hands the message to MPI, or its first frame; what has not been encoded, unmodified. Returns
  // MPI's code.
  [[nodiscard]] int post_first(const SendCall& call, Handle handle = Handle::shared);
  // Encodes and posts the other frames, if there are any. The receiver waits for them: without
  // memory the job ends.
  [[nodiscard]] int follow(const SendCall& call);
  // The same, and ends the call that sends the message.
  [[nodiscard]] int post_rest(const SendCall& call);
  // All of it.
  [[nodiscard]] int post(const SendCall& call, Handle handle = Handle::shared);

  // MPI has taken message()'s frame by a call of its own.
  void accepted() { outgoing_->accepted(); }

  // What has been encoded.
  [[nodiscard]] const std::optional<Outgoing>& message() const { return outgoing_; }

  // What the send reads from, where that is no memory of the program.
  void keep(mpi::BufferPool::Lease copy) { copy_ = std::move(copy); }

 private:
  void moved(const MPI_Status& status) override;

  std::optional<Outgoing> outgoing_;
  mpi::BufferPool::Lease copy_;
};

// Runs `body`, which makes a message ready, and tells whether there was memory for that. Where
// there was not the message is passed through unmodified, unless it would be taken for a frame, or
// for a message of another length: then throws std::bad_alloc.
template <class Body>
bool if_memory_allows(const mpi::Buffer& user, Body&& body) {
  try {
    body();
    return true;
  } catch (const std::bad_alloc&) {
    if (wire::is_announced_length(user.bytes()) || looks_framed(SendBuffer(user))) throw;
    // What lies on a device has come here by that.
    return false;
  }
}

}  // namespace tightwire::p2p
