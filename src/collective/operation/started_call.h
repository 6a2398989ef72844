// A collective that the program has started, until it is complete.
//
// The request of one that returns at once is a generalised request of MPI (MPI 4.0, section 13.2).
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "collective/operation/collective_operation.h"
#include "collective/operation/prepared_call.h"
#include "collective/transfer/background.h"
#include "mpi/error.h"

namespace tightwire::collective {

class StartedCall final : public BackgroundCall {
 public:
  explicit StartedCall(std::shared_ptr<PreparedCall> prepared) : prepared_(std::move(prepared)) {}

  [[nodiscard]] bool advance() noexcept override;
  [[nodiscard]] bool is_over() const override { return over_.load(std::memory_order_acquire); }
  [[nodiscard]] bool lets_next_begin() const override {
    return running_ && running_->work().lets_next_begin;
  }
  [[nodiscard]] std::uint64_t place() const override {
    return running_ ? 1 + running_->work().traffic.bytes_before : 0;
  }
  void give_up() noexcept override;
  // Raises what went wrong, once. For the program's completing call; returns the code for it.
  [[nodiscard]] int raise();

  [[nodiscard]] mpi::Communicator& communicator() const { return prepared_->communicator(); }

 private:
  friend void start(const std::shared_ptr<PreparedCall>& prepared, MPI_Request* request);

  [[nodiscard]] bool move_on();
  [[nodiscard]] int raise_now() const;

  std::shared_ptr<PreparedCall> prepared_;
  PreparedCall::Clock::time_point start_ = PreparedCall::Clock::now();
  std::optional<CollectiveOperation> running_;  // made when its turn comes
  std::optional<mpi::MpiError> error_;
  std::optional<int> raised_;
  std::atomic<bool> has_ended_{false};      // what came of it is known
  std::atomic<bool> over_{false};           // and the program may know
  MPI_Request request_ = MPI_REQUEST_NULL;  // of one that returns at once
};

// Whether MPI has requests for it.
[[nodiscard]] bool can_start();
// Gives the program its request, and does what can be done now. Throws MpiError.
void start(const std::shared_ptr<PreparedCall>& prepared, MPI_Request* request);

// What MPI says of a completed collective, which has neither source nor length.
void set_empty(MPI_Status* status);

}  // namespace tightwire::collective
