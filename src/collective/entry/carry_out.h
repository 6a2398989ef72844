// What every entry point does with its plan: pass the call through, or run it.
#pragma once

#include <memory>

#include "collective/operation/collective_operation.h"
#include "collective/operation/persistent_call.h"
#include "collective/operation/prepared_call.h"
#include "collective/operation/started_call.h"
#include "collective/plan/decision/short_call.h"
#include "collective/plan/movement_plan.h"
#include "collective/plan/reduction_plan.h"
#include "mpi/call.h"
#include "mpi/datatype/predefined_type.h"
#include "mpi/device/coded_buffer.h"
#include "mpi/progress/persistent_operation.h"
#include "runtime/runtime.h"

namespace tightwire::collective {

// Of fewer bytes no collective is compressed, so nothing else of it needs to be looked at. For
// buffers of which all ranks' are as large.
[[nodiscard]] inline bool is_small(std::size_t bytes) {
  return bytes < runtime::current().smallest_compressed.load(std::memory_order_relaxed);
}

// Or nothing needs to be looked at since it is a short call. Once for each call: these are counted.
[[nodiscard]] inline bool is_small(std::size_t bytes, const Form& form, MPI_Comm comm) {
  return is_small(bytes) || is_left_alone(bytes, form, comm);
}

// Of what this rank sends in a call that its plan is made for next: values of a predefined type may
// stay on their way in pieces, since who makes plans, and schedules, waits for what he reads.
inline void fetch_for_plan(const mpi::Buffer& own) {
  mpi::predefined(own.datatype) ? mpi::fetch_coded(own) : mpi::fetch_left(own);
}

// Of a call that waits: `begin(Work&)` makes the schedule.
template <class Plan, class Begin>
int carry_out_waiting(const Plan& plan, policy::Operation operation, const mpi::CallName& name,
                      MPI_Comm comm, const mpi::PassThrough& pass, Begin&& begin) {
  const ScopedTimer timer(plan.decision);
  const ScopedRate rate(plan.uneven);
  if (plan.passes_through()) return mpi::passed(operation, name, pass, plan.why);
  return run(operation, plan.of_call(name.bytes), name, comm, plan.start, begin);
}

// The handle is MPI's own.
template <class Prepare>
int persist(Prepare&& prepare, const Form& form, const mpi::CallName& name, MPI_Comm comm,
            const mpi::PassThrough& pass) {
  const int code = pass();
  if (code != MPI_SUCCESS) return code;
  mpi::keep_persistent(*form.request, std::make_shared<PersistentCall>(prepare()), name, comm);
  return MPI_SUCCESS;
}

// Runs the schedule that `schedule(plan, arguments..., work)` makes to its end; or starts it, or
// prepares it for the starts of a persistent request. Then it keeps the plan and the arguments.
template <class Plan, class MakeSchedule, class... Arguments>
int carry_out(const Form& form, const Plan& plan, policy::Operation operation,
              const mpi::CallName& name, MPI_Comm comm, const mpi::PassThrough& pass,
              MakeSchedule schedule, const Arguments&... arguments) {
  if (form.calling == Calling::waits) {
    return carry_out_waiting(plan, operation, name, comm, pass,
                             [&](Work& work) { return schedule(plan, arguments..., work); });
  }
  if (plan.passes_through()) return mpi::passed(operation, name, pass, plan.why);
  const auto prepared = [&] {
    return std::make_shared<PlannedCall<Plan, MakeSchedule, Arguments...>>(
        operation, plan, name, mpi::made_communicator(comm), schedule, arguments...);
  };
  if (form.calling == Calling::persistent) return persist(prepared, form, name, comm, pass);
  start(prepared(), form.request);
  return MPI_SUCCESS;
}

}  // namespace tightwire::collective
