// The schedules of operations that move data between the two groups of an intercommunicator, from
// all ranks of each to all of the other.
#pragma once

#include "collective/plan/blocks.h"
#include "collective/plan/movement_plan.h"
#include "collective/transfer/schedule.h"
#include "collective/transfer/work.h"

namespace tightwire::collective {

// Blocks are by ranks of the other group. Plan, blocks and work outlive the schedule. Throw
// MpiError.
[[nodiscard]] Schedule<> allgather_between_schedule(const MovementPlan& plan,
                                                    const mpi::Buffer& own, const Blocks& all,
                                                    Work& work);
[[nodiscard]] Schedule<> alltoall_between_schedule(const MovementPlan& plan, const Blocks& from,
                                                   const Blocks& to, Work& work);

}  // namespace tightwire::collective
