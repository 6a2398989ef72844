// Persistent requests of collectives, beside those of messages: what starts and completes requests
// asks no more of them.
#pragma once

#include <mpi.h>

#include <memory>

#include "mpi/operation.h"
#include "mpi/progress/persistent_operation.h"
#include "p2p/request/persistent_request.h"

namespace tightwire::p2p {

class PersistentCollective final : public PersistentRequest {
 public:
  explicit PersistentCollective(std::shared_ptr<mpi::PersistentOperation> operation)
      : operation_(std::move(operation)) {}

  [[nodiscard]] bool progress(Waiting waiting) override { return operation_->progress(waiting); }
  void abort() noexcept override { operation_->abort(); }
  [[nodiscard]] mpi::Outcome peek() const override { return operation_->outcome(); }
  // Collectives cannot be cancelled (MPI 4.0, section 6.12).
  [[nodiscard]] int cancel() override { return MPI_ERR_REQUEST; }
  [[nodiscard]] bool receives() const override { return false; }
  void let_go(MPI_Request* handle) override { PMPI_Request_free(handle); }

 private:
  [[nodiscard]] int begin_transfer() override {
    operation_->start();
    return MPI_SUCCESS;
  }
  [[nodiscard]] mpi::Outcome end_transfer() override { return operation_->outcome(); }

  std::shared_ptr<mpi::PersistentOperation> operation_;
};

// Has the table of requests keep it. Without memory the job ends.
void keep_collective(MPI_Request handle, std::shared_ptr<mpi::PersistentOperation> operation,
                     const mpi::CallName& name, MPI_Comm comm);

}  // namespace tightwire::p2p
