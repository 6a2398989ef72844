// MPI_Isendrecv and MPI_Isendrecv_replace: one request for a receive and a send.
#pragma once

#include <mpi.h>

#include <memory>
#include <utility>

#include "mpi/operation.h"
#include "p2p/request/request.h"
#include "p2p/request/transfer_request.h"

namespace tightwire::p2p {

// Its handle is that of the receive, whose completion waits for the send.
class SendrecvRequest final : public Request {
 public:
  // Both before all else.
  void set_receive(std::shared_ptr<TransferRequest> receive) { receive_ = std::move(receive); }
  void set_send(std::shared_ptr<TransferRequest> send) { send_ = std::move(send); }

  [[nodiscard]] bool progress(Waiting waiting) override {
    return send_->progress(waiting) && receive_->progress(waiting);
  }
  [[nodiscard]] mpi::Outcome outcome() override {
    static_cast<void>(send_->outcome());
    return receive_->outcome();
  }
  void abort() noexcept override {
    send_->abort();
    receive_->abort();
  }

  [[nodiscard]] mpi::Outcome peek() const override { return receive_->peek(); }
  [[nodiscard]] int cancel() override { return receive_->cancel(); }
  void mute(bool muted) override { receive_->mute(muted); }
  void extracted() override { receive_->extracted(); }
  [[nodiscard]] bool receives() const override { return receive_->receives(); }

  [[nodiscard]] MPI_Request transfer() { return receive_->transfer(); }

 private:
  std::shared_ptr<TransferRequest> receive_;
  std::shared_ptr<TransferRequest> send_;
};

}  // namespace tightwire::p2p
