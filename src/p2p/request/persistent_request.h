// Persistent requests: the handle is MPI's own, made with the program's arguments; each start of
// one that is ours begins a transfer as the call without persistence would.
#pragma once

#include <mpi.h>

#include <memory>

#include "mpi/buffer.h"
#include "mpi/communicator/route.h"
#include "mpi/operation.h"
#include "p2p/request/receive_request.h"
#include "p2p/request/request.h"
#include "p2p/request/send_request.h"
#include "p2p/request/transfer_request.h"
#include "p2p/transfer/buffer/receive_buffer.h"

namespace tightwire::p2p {

class PersistentRequest : public Request {
 public:
  // As MPI_Start; returns MPI's code. Throws MpiError, std::bad_alloc.
  [[nodiscard]] int start();
  [[nodiscard]] mpi::Outcome outcome() final;

  [[nodiscard]] bool active() const final { return active_; }
  [[nodiscard]] PersistentRequest* persistent() final { return this; }

 protected:
  [[nodiscard]] virtual int begin_transfer() = 0;
  [[nodiscard]] virtual mpi::Outcome end_transfer() = 0;

 private:
  bool active_ = false;
};

// A send or a receive: each of its transfers is a request of its own.
class PersistentTransfer : public PersistentRequest {
 public:
  [[nodiscard]] bool progress(Waiting waiting) final { return current().progress(waiting); }
  void abort() noexcept final { current().abort(); }
  [[nodiscard]] mpi::Outcome peek() const final { return current().peek(); }
  [[nodiscard]] int cancel() final { return current().cancel(); }
  void mute(bool muted) final { current().mute(muted); }
  void let_go(MPI_Request* handle) final;

 protected:
  PersistentTransfer(const mpi::Buffer& user, const mpi::Route& route)
      : user_(user, ReceiveBuffer::Type::kept), route_(route.shared_from_this()) {}

  // Only while active().
  [[nodiscard]] virtual TransferRequest& current() const = 0;

  [[nodiscard]] const mpi::Buffer& user() const { return user_.buffer(); }
  [[nodiscard]] std::size_t bytes() const { return user_.size(); }
  [[nodiscard]] const mpi::Route& route() const { return *route_; }

 private:
  // The program may free a derived datatype that its request still needs.
  const ReceiveBuffer user_;
  const std::shared_ptr<const mpi::Route> route_;
};

class PersistentSend final : public PersistentTransfer {
 public:
  PersistentSend(const SendCall& call, const mpi::Route& route);
  [[nodiscard]] bool receives() const override { return false; }

 private:
  [[nodiscard]] int begin_transfer() override;
  [[nodiscard]] mpi::Outcome end_transfer() override;
  [[nodiscard]] TransferRequest& current() const override { return *current_; }

  SendCall call_;
  std::shared_ptr<SendRequest> current_;
};

class PersistentReceive final : public PersistentTransfer {
 public:
  // `handle` is MPI's request for the same receive.
  PersistentReceive(const ReceiveCall& call, MPI_Request handle);
  [[nodiscard]] bool receives() const override { return true; }
  [[nodiscard]] bool left_to_mpi() const override { return left_to_mpi_; }

 private:
  [[nodiscard]] int begin_transfer() override;
  [[nodiscard]] mpi::Outcome end_transfer() override;
  [[nodiscard]] TransferRequest& current() const override { return *current_; }

  ReceiveCall call_;
  MPI_Request handle_;
  bool left_to_mpi_ = false;
  std::shared_ptr<ReceiveRequest> current_;
};

}  // namespace tightwire::p2p
