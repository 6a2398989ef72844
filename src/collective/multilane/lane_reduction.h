// Reductions over the lanes of a communicator (node_lanes.h): the hosts' sums of each slice of the
// message go around the slice's lane.
#pragma once

#include <vector>

#include "collective/plan/measured.h"
#include "collective/plan/reduction_plan.h"
#include "mpi/partition.h"

namespace tightwire::collective {

// A reduction that is planned. `own` and `result` may be the same memory; `result` is null where
// none is received.
struct LaneReduction {
  policy::Operation operation;
  const Reduction& reduction;
  const ReductionPlan& plan;
  const void* own;
  void* result;
};

// Whether it goes over lanes: where there are any and the message is large enough that its bytes
// count, not the number of steps. The same on all ranks.
[[nodiscard]] bool goes_over_lanes(policy::Operation operation, const Reduction& reduction,
                                   const ReductionPlan& plan);

// What was done is noted in `work`. Throw MpiError.
void lane_allreduce(const LaneReduction& call, Work& work);
void lane_reduce(const LaneReduction& call, int root, Work& work);
// `segments`: of each rank; every rank has a lane. `result` is this rank's segment alone.
void lane_reduce_scatter(const LaneReduction& call, const std::vector<mpi::Part>& segments,
                         Work& work);

}  // namespace tightwire::collective
