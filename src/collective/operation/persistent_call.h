// A collective behind a persistent request.
#pragma once

#include <memory>
#include <utility>

#include "collective/operation/prepared_call.h"
#include "collective/operation/started_call.h"
#include "mpi/progress/persistent_operation.h"

namespace tightwire::collective {

class PersistentCall final : public mpi::PersistentOperation {
 public:
  explicit PersistentCall(std::shared_ptr<PreparedCall> prepared)
      : prepared_(std::move(prepared)) {}

  void start() override;
  [[nodiscard]] bool progress(Waiting waiting) override;
  [[nodiscard]] mpi::Outcome outcome() override;
  // It goes on all the same, since other ranks need it.
  void abort() noexcept override {}

 private:
  std::shared_ptr<PreparedCall> prepared_;
  std::shared_ptr<StartedCall> started_;
  bool has_looked_ = false;
};

}  // namespace tightwire::collective
