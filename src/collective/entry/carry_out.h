// What every entry point does with its plan: pass the call through, or run it.
#pragma once

#include "collective/operation/collective_operation.h"
#include "collective/plan/movement_plan.h"
#include "collective/plan/reduction_plan.h"
#include "mpi/call.h"

namespace tightwire::collective {

// `begin(Work&)` makes the schedule.
template <class Begin>
int carry_out(const ReductionPlan& plan, policy::Operation operation, const mpi::CallName& name,
              MPI_Comm comm, const mpi::PassThrough& pass, Begin&& begin) {
  const ScopedTimer timer(plan.decision);
  if (plan.path == Path::pass_through) return mpi::passed(operation, name, pass);
  return run(operation, plan.plan, name, comm, plan.start, begin);
}

template <class Begin>
int carry_out(const MovementPlan& plan, policy::Operation operation, const mpi::CallName& name,
              MPI_Comm comm, const mpi::PassThrough& pass, Begin&& begin) {
  const ScopedTimer timer(plan.decision);
  if (plan.communicator == nullptr) return mpi::passed(operation, name, pass);
  return run(operation, plan_of_call(plan, name.bytes), name, comm,
             CollectiveOperation::Clock::now(), begin);
}

}  // namespace tightwire::collective
