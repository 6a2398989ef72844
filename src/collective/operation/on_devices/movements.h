// The schedules of operations that move what ranks have on GPUs.
#pragma once

#include "collective/plan/blocks.h"
#include "collective/plan/on_devices/movement.h"
#include "collective/transfer/schedule.h"
#include "collective/transfer/work.h"

namespace tightwire::collective {

// Plan, buffers and work outlive the schedule. Buffers are images where they lie on devices. Throw
// MpiError.
[[nodiscard]] Schedule<> bcast_on_devices_schedule(const MovementOnDevices& plan,
                                                   const mpi::Buffer& buffer, int root, Work& work);
// `own` may be in place at the root, whose `all` are.
[[nodiscard]] Schedule<> gather_on_devices_schedule(const MovementOnDevices& plan,
                                                    const mpi::Buffer& own, const Blocks& all,
                                                    int root, Work& work);
[[nodiscard]] Schedule<> scatter_on_devices_schedule(const MovementOnDevices& plan,
                                                     const mpi::Buffer& own, const Blocks& all,
                                                     int root, Work& work);
// `own` may be in place.
[[nodiscard]] Schedule<> allgather_on_devices_schedule(const MovementOnDevices& plan,
                                                       const mpi::Buffer& own, const Blocks& all,
                                                       Work& work);
// Not in place.
[[nodiscard]] Schedule<> alltoall_on_devices_schedule(const MovementOnDevices& plan,
                                                      const Blocks& from, const Blocks& to,
                                                      Work& work);

}  // namespace tightwire::collective
