// The schedules of operations that move data and compute nothing.
#pragma once

#include "collective/plan/blocks.h"
#include "collective/plan/movement_plan.h"
#include "collective/transfer/schedule.h"
#include "collective/transfer/work.h"

namespace tightwire::collective {

// Plan, blocks and work outlive the schedule. A buffer at MPI_IN_PLACE is where its values are.
// Throw MpiError.
[[nodiscard]] Schedule<> bcast_schedule(const MovementPlan& plan, const mpi::Buffer& buffer,
                                        int root, Work& work);
[[nodiscard]] Schedule<> allgather_schedule(const MovementPlan& plan, const mpi::Buffer& own,
                                            const Blocks& all, Work& work);
[[nodiscard]] Schedule<> gather_schedule(const MovementPlan& plan, const mpi::Buffer& own,
                                         const Blocks& all, int root, Work& work);
[[nodiscard]] Schedule<> scatter_schedule(const MovementPlan& plan, const mpi::Buffer& own,
                                          const Blocks& all, int root, Work& work);
[[nodiscard]] Schedule<> alltoall_schedule(const MovementPlan& plan, const Blocks& from,
                                           const Blocks& to, Work& work);

}  // namespace tightwire::collective
