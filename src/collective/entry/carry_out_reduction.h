// What the entry points of reductions do: GPUs carry the call out where all ranks have their values
// on some, else it is planned on the host.
#pragma once

#include <utility>
#include <vector>

#include "collective/entry/carry_out.h"
#include "collective/operation/reductions.h"
#include "collective/plan/on_devices/host_way.h"
#include "collective/plan/on_devices/reduction.h"
#include "mpi/device/coded_buffer.h"

namespace tightwire::collective {

struct ReductionCall {
  const Form& form;
  policy::Operation operation{};
  const mpi::CallName& name;
  const mpi::Buffer& own;
  MPI_Op op = MPI_OP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  const mpi::PassThrough& pass;
};

[[nodiscard]] inline int pass_small(const ReductionCall& call) {
  mpi::fetch_left(call.own);
  return mpi::passed(call.operation, call.name, call.pass);
}

// Of a call that is `valid`, as far as it can be told here. `schedule(plan, result, arguments...,
// work)` is that of the operation; `may_stay`: GPUs may carry it out, as far as this rank is
// concerned.
template <class MakeSchedule, class... Arguments>
int carry_out_reduction(const ReductionCall& call, bool valid, const mpi::Place& place,
                        std::vector<mpi::Part> segments, bool may_stay, MakeSchedule schedule,
                        const mpi::Buffer& result, const Arguments&... arguments) {
  const CalledOn on = call.form.on(place.participants);
  if (const auto plan = plan_reduction_on_devices(valid, may_stay, call.operation, call.own,
                                                  call.op, on, segments)) {
    return carry_out_waiting(
        *plan, call.operation, call.name, call.comm, call.pass, [&](Work& work) {
          return reduction_on_devices_schedule(*plan, result,
                                               schedule(*plan, result, arguments..., work), work);
        });
  }
  const ScopedHostWay host_way(on, call.operation, call.own.bytes());
  fetch_for_plan(call.own);
  const ReductionPlan plan =
      plan_reduction_if(valid, call.operation, call.own, call.op, on, std::move(segments));
  if (plan.passes_through()) mpi::fetch_left(call.own);
  return carry_out(call.form, plan, call.operation, call.name, call.comm, call.pass, schedule,
                   result, arguments...);
}

}  // namespace tightwire::collective
