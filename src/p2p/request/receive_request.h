// A receive whose message may be a frame.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>
#include <optional>

#include "mpi/buffer.h"
#include "mpi/communicator/route.h"
#include "mpi/operation.h"
#include "p2p/request/transfer_request.h"
#include "p2p/state/error_handlers.h"
#include "p2p/state/expected_bytes.h"
#include "p2p/state/frame_rules.h"
#include "p2p/transfer/buffer/receive_buffer.h"
#include "p2p/transfer/incoming.h"
#include "p2p/transfer/unexpected.h"

namespace tightwire::p2p {

// A receive of the program.
struct ReceiveCall {
  mpi::Buffer user;
  const mpi::Route* route;
  int source;
  int tag;
  MPI_Comm comm;
  const char* function;
  // As MPI's own: a failure calls the communicator's error handler, not that for requests.
  bool fails_on_comm = false;
};

class ReceiveRequest : public TransferRequest {
 public:
  explicit ReceiveRequest(const ReceiveCall& call)
      : incoming_(call.user, ReceiveBuffer::Type::kept, *call.route, call.function),
        expected_(incoming_.room()) {
    if (requests_fail_on_world && !call.fails_on_comm) incoming_.fail_on_world();
  }
  // Posts the receive, or starts `persistent` if that is the very same receive. Returns MPI's code.
  [[nodiscard]] int post(const ReceiveCall& call, MPI_Request persistent);

  [[nodiscard]] bool receives() const final { return true; }
  void mute(bool muted) final { incoming_.mute(muted); }
  void extracted() final { expected_.end(); }

 protected:
  [[nodiscard]] bool is_too_long(const MPI_Status& status) const override {
    return incoming_.is_too_long(status);
  }
  [[nodiscard]] Incoming& incoming() { return incoming_; }

 private:
  void asked_for() final { incoming_.asked_for(); }
  void moved(const MPI_Status& status) final {
    expected_.end();
    incoming_.receive(status);
  }
  void left_behind() final {
    expected_.end();
    incoming_.give_up();
  }
  [[nodiscard]] std::optional<mpi::Outcome> settle(Waiting waiting) final;

  Incoming incoming_;
  Expected expected_;
};

// A receive whose message had been matched before, by a probe.
class TakenReceive final : public ReceiveRequest {
 public:
  using ReceiveRequest::ReceiveRequest;
  // Before all else: receives it, unless it has been received before. Returns MPI's code.
  [[nodiscard]] int take(Taken taken);

  // It is matched: too late.
  [[nodiscard]] int cancel() override { return MPI_SUCCESS; }

 private:
  // MPI received it into memory of ours.
  [[nodiscard]] bool is_too_long(const MPI_Status& status) const override {
    return !in_memory_ && ReceiveRequest::is_too_long(status);
  }

  bool in_memory_ = false;
};

// Matches a message taken in before, or posts the receive; both as one step where the program has
// threads. With `persistent`, that is an MPI request which stands for the receive already. Returns
// MPI's code. Throws MpiError, std::bad_alloc.
[[nodiscard]] int start_receive(std::shared_ptr<ReceiveRequest>& request, const ReceiveCall& call,
                                MPI_Request persistent = MPI_REQUEST_NULL);

// Whether nothing stands against posting a receive of MPI's alone: it is too short for a frame, no
// frame is received into its memory, and no message has been taken in.
[[nodiscard]] bool may_post_short(const ReceiveCall& call, std::size_t bytes);
// What is not sound is for MPI to complain of, before a lock is taken that the error handler might
// want.
[[nodiscard]] bool is_sound(const mpi::Buffer& user);

// Posts a receive too short for a frame, by `post`. Where the program has threads one may be
// probing, and take in a message that this receive should match: the two are kept apart until it is
// posted. Returns MPI's code, or nothing where start_receive() is needed.
template <class Post>
[[nodiscard]] std::optional<int> post_short(const ReceiveCall& call, std::size_t bytes,
                                            Post&& post) {
  if (!may_post_short(call, bytes)) return std::nullopt;
  if (!frame_rules().multithreaded || !is_sound(call.user)) return post();
  const std::scoped_lock lock(unexpected().matching());
  return unexpected().any() ? std::nullopt : std::optional<int>(post());
}

// Has MPI complain of a buffer that no receive may have, before a message that was taken in is
// given to it: that message is another receive's. Returns MPI's code.
[[nodiscard]] int check_receive(const mpi::Buffer& user, MPI_Comm comm);

}  // namespace tightwire::p2p
