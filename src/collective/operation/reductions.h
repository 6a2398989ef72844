// The schedules of reductions that are planned: by which algorithm each goes.
#pragma once

#include "collective/plan/reduction_plan.h"
#include "collective/transfer/schedule.h"
#include "collective/transfer/work.h"
#include "mpi/buffer.h"

namespace tightwire::collective {

// Plan, result and work outlive the schedule. `result` is of no count where none is received. Throw
// MpiError.
[[nodiscard]] Schedule<> allreduce_schedule(const ReductionPlan& plan, const mpi::Buffer& result,
                                            Work& work);
[[nodiscard]] Schedule<> reduce_schedule(const ReductionPlan& plan, const mpi::Buffer& result,
                                         int root, Work& work);
// `result` is this rank's segment alone.
[[nodiscard]] Schedule<> reduce_scatter_schedule(const ReductionPlan& plan,
                                                 const mpi::Buffer& result, Work& work);
// `inclusive`: Scan, else Exscan.
[[nodiscard]] Schedule<> scan_schedule(const ReductionPlan& plan, const mpi::Buffer& result,
                                       bool inclusive, Work& work);

// Of a plan of plan_reduction_on_devices(): `reduction` is one of these.
[[nodiscard]] Schedule<> reduction_on_devices_schedule(const ReductionPlan& plan,
                                                       const mpi::Buffer& result,
                                                       Schedule<> reduction, Work& work);

}  // namespace tightwire::collective
