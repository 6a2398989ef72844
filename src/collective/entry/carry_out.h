// What every entry point does with its plan: pass the call through, or run it.
#pragma once

#include "collective/operation/collective_operation.h"
#include "collective/plan/movement_plan.h"
#include "collective/plan/reduction_plan.h"
#include "mpi/call.h"
#include "runtime/runtime.h"

namespace tightwire::collective {

// Of fewer bytes no collective is compressed, so nothing else of it needs to be looked at. For
// buffers of which all ranks' are as large.
[[nodiscard]] inline bool is_small(std::size_t bytes) {
  return bytes < runtime::current().smallest_compressed.load(std::memory_order_relaxed);
}

// `begin(Work&)` makes the schedule.
template <class Plan, class Begin>
int carry_out(const Plan& plan, policy::Operation operation, const mpi::CallName& name,
              MPI_Comm comm, const mpi::PassThrough& pass, Begin&& begin) {
  const ScopedTimer timer(plan.decision);
  if (plan.passes_through()) return mpi::passed(operation, name, pass);
  return run(operation, plan.of_call(name.bytes), name, comm, plan.start, begin);
}

}  // namespace tightwire::collective
