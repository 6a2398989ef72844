// A collective that goes our own way, as an operation: the schedule of its algorithm, and what is
// left behind for the statistics and the program.
#pragma once

#include <mpi.h>

#include <chrono>
#include <optional>

#include "collective/transfer/schedule.h"
#include "collective/transfer/work.h"
#include "mpi/operation.h"
#include "policy/call.h"

namespace tightwire::collective {

class CollectiveOperation final : public mpi::Operation {
 public:
  using Clock = std::chrono::steady_clock;

  // `start`: since when the call takes time.
  CollectiveOperation(policy::Operation operation, const policy::Plan& plan,
                      const mpi::CallName& name, MPI_Comm comm, Clock::time_point start)
      : operation_(operation),
        name_(name),
        comm_(comm),
        work_{plan, {}, {}, 0, {}},
        start_(start) {}

  [[nodiscard]] Work& work() { return work_; }
  [[nodiscard]] const Work& work() const { return work_; }
  // The schedule of the algorithm; it may use work(), and what it was planned by, which must stay.
  void begin(Schedule<> schedule) { schedule_.emplace(std::move(schedule)); }

  [[nodiscard]] bool progress(Waiting waiting) override;
  [[nodiscard]] mpi::Outcome outcome() override;
  // The part of outcome() that is no matter of the program's.
  void count() const;
  void abort() noexcept override;

 private:
  policy::Operation operation_;
  mpi::CallName name_;
  MPI_Comm comm_;
  Work work_;
  Clock::time_point start_;
  Progress progress_;
  std::optional<Schedule<>> schedule_;
};

// Drives an operation to its end, as blocking calls do: `begin(Work&)` makes the schedule. Returns
// the code for the program.
template <class Begin>
int run(policy::Operation operation, const policy::Plan& plan, const mpi::CallName& name,
        MPI_Comm comm, CollectiveOperation::Clock::time_point start, Begin&& begin) {
  CollectiveOperation running(operation, plan, name, comm, start);
  running.begin(begin(running.work()));
  static_cast<void>(running.progress(mpi::Operation::Waiting::yes));
  return running.outcome().code;
}

}  // namespace tightwire::collective
