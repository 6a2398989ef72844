// A message that MPI moves under one request of its own.
#pragma once

#include <mpi.h>

#include <optional>

#include "mpi/operation.h"
#include "p2p/request/request.h"

namespace tightwire::p2p {

// By itself, a message that is passed through unmodified; others see to what MPI has moved. MPI's
// own request stays until outcome().
class TransferRequest : public Request {
 public:
  [[nodiscard]] bool progress(Waiting waiting) final;
  [[nodiscard]] mpi::Outcome outcome() final;
  void abort() noexcept final;

  [[nodiscard]] mpi::Outcome peek() const final;
  [[nodiscard]] int cancel() override { return held_ ? PMPI_Cancel(&transfer_) : MPI_SUCCESS; }
  void let_go(MPI_Request* handle) final;
  [[nodiscard]] bool receives() const override { return false; }
  [[nodiscard]] bool waits_for_mpi() const final { return !known_ && !moved_; }

  // MPI's request, which one of its functions has filled in.
  [[nodiscard]] MPI_Request& transfer() { return transfer_; }
  // Starts a persistent request of MPI's in place of a new one: MPI keeps that when it is complete.
  // Returns MPI's code.
  [[nodiscard]] int start(MPI_Request persistent);
  // The same of one that was made for this transfer alone.
  [[nodiscard]] int start_own(MPI_Request persistent);

 protected:
  // The program asks whether the message is here, or waits for it.
  virtual void asked_for() {}
  // MPI has moved the message, though it may still hold the request.
  virtual void moved(const MPI_Status& status) { status_ = status; }
  // After that: what came of it, once nothing is left to do.
  [[nodiscard]] virtual std::optional<mpi::Outcome> settle(Waiting /*waiting*/) {
    return mpi::Outcome{status_, MPI_SUCCESS};
  }
  // An error handler has jumped out of MPI's call: nothing is known of the message any more.
  virtual void left_behind() {}
  // MPI itself will call this message too long.
  [[nodiscard]] virtual bool is_too_long(const MPI_Status& /*status*/) const { return false; }

 private:
  [[nodiscard]] int look(int* is_moved, MPI_Status* status);
  [[nodiscard]] bool test();
  [[nodiscard]] bool wait();
  [[nodiscard]] bool leave_behind();
  template <class Call>
  [[nodiscard]] int within_mpi(Call&& call);
  [[nodiscard]] bool is_settled(Waiting waiting);
  void release();

  MPI_Request transfer_ = MPI_REQUEST_NULL;
  bool mpi_keeps_ = false;   // a persistent one
  bool free_after_ = false;  // it has no handle of the program any more
  bool held_ = true;         // MPI has not been told yet that it is done
  bool moved_ = false;
  bool in_mpi_ = false;  // an error handler that jumps leaves it so
  MPI_Status status_{};
  std::optional<mpi::Outcome> known_;
};

}  // namespace tightwire::p2p
