// The schedules of reductions that are planned: by which algorithm each goes.
#pragma once

#include "collective/plan/reduction_plan.h"
#include "collective/transfer/schedule.h"
#include "collective/transfer/work.h"

namespace tightwire::collective {

// Plan and work outlive the schedule. `result` is null where none is received. Throw MpiError.
[[nodiscard]] Schedule<> allreduce_schedule(const ReductionPlan& plan, void* result, Work& work);
[[nodiscard]] Schedule<> reduce_schedule(const ReductionPlan& plan, void* result, int root,
                                         Work& work);
// `result` is this rank's segment alone; `in_place`: it lies over the values.
[[nodiscard]] Schedule<> reduce_scatter_schedule(const ReductionPlan& plan, void* result,
                                                 bool in_place, Work& work);
// `inclusive`: Scan, else Exscan.
[[nodiscard]] Schedule<> scan_schedule(const ReductionPlan& plan, void* result, bool inclusive,
                                       Work& work);

}  // namespace tightwire::collective
