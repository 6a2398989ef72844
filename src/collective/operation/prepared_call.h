// A collective with all that was decided about it and all that it needs of the program, to be
// carried out in the background: once, or at each start of a persistent request.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "collective/operation/collective_operation.h"
#include "collective/operation/kept_types.h"
#include "collective/plan/movement_plan.h"
#include "collective/reduce/range_exchange.h"
#include "collective/transfer/agreed_tags.h"
#include "mpi/communicator/communicator.h"
#include "mpi/error.h"

namespace tightwire::collective {

class PreparedCall {
 public:
  using Clock = CollectiveOperation::Clock;

  PreparedCall(const mpi::CallName& name, std::shared_ptr<mpi::Communicator> communicator)
      : name_(name), communicator_(std::move(communicator)) {}
  PreparedCall(const PreparedCall&) = delete;
  PreparedCall& operator=(const PreparedCall&) = delete;
  virtual ~PreparedCall() = default;

  [[nodiscard]] const mpi::CallName& name() const { return name_; }
  [[nodiscard]] mpi::Communicator& communicator() const { return *communicator_; }

  // The values to be sent are there now.
  virtual void look_at_values() = 0;
  // Makes the operation, which this must outlive. Throws MpiError.
  virtual void begin(std::optional<CollectiveOperation>& running, Clock::time_point start) = 0;

 private:
  mpi::CallName name_;
  std::shared_ptr<mpi::Communicator> communicator_;
};

// Movements leave nothing open.
[[nodiscard]] inline Schedule<> close_bound(MovementPlan& /*plan*/, mpi::Health& /*health*/) {
  co_return;
}

// `schedule(plan, arguments..., work)` makes the schedule of the algorithm. The plan and arguments
// are kept, and the datatypes and arrays in them, which the program may free.
template <class Plan, class MakeSchedule, class... Arguments>
class PlannedCall final : public PreparedCall {
 public:
  PlannedCall(policy::Operation operation, const Plan& plan, const mpi::CallName& name,
              std::shared_ptr<mpi::Communicator> communicator, MakeSchedule schedule,
              const Arguments&... arguments)
      : PreparedCall(name, std::move(communicator)),
        operation_(operation),
        plan_(plan),
        schedule_(schedule),
        arguments_(arguments...) {
    std::apply([this](auto&... each) { (types_.keep(each), ...); }, arguments_);
  }

  void look_at_values() override { plan_.look_at_values(); }

  void begin(std::optional<CollectiveOperation>& running, Clock::time_point start) override {
    running.emplace(operation_, plan_.of_call(name().bytes), name(), MPI_COMM_NULL, start);
    Work& work = running->work();
    std::apply(
        [&](const auto&... each) {
          running->begin(after_agreement(communicator(), close_bound(plan_, work.health),
                                         schedule_(plan_, each..., work)));
        },
        arguments_);
  }

 private:
  policy::Operation operation_;
  Plan plan_;
  MakeSchedule schedule_;
  KeptTypes types_;
  std::tuple<Arguments...> arguments_;
};

}  // namespace tightwire::collective
