// Reductions over the lanes of a communicator (mpi/communicator/node_lanes.h): the hosts' sums of
// each slice of the message go around the slice's lane.
#pragma once

#include "collective/plan/reduction_plan.h"
#include "collective/transfer/schedule.h"
#include "collective/transfer/work.h"
#include "mpi/buffer.h"

namespace tightwire::collective {

// Of plans whose path is over lanes. `result` is of no count where none is received. Throw
// MpiError.
[[nodiscard]] Schedule<> lane_allreduce(const ReductionPlan& plan, const mpi::Buffer& result,
                                        Work& work);
[[nodiscard]] Schedule<> lane_reduce(const ReductionPlan& plan, const mpi::Buffer& result, int root,
                                     Work& work);
// Every rank has a lane. `result` is this rank's segment alone.
[[nodiscard]] Schedule<> lane_reduce_scatter(const ReductionPlan& plan, const mpi::Buffer& result,
                                             Work& work);

}  // namespace tightwire::collective
