// The schedules of operations that move what a root has on a GPU.
#pragma once

#include "collective/plan/blocks.h"
#include "collective/plan/on_devices/from_root.h"
#include "collective/transfer/schedule.h"
#include "collective/transfer/work.h"

namespace tightwire::collective {

// Plan, buffers and work outlive the schedule. Buffers are images where they lie on devices. Throw
// MpiError.
[[nodiscard]] Schedule<> bcast_on_devices_schedule(const FromRootOnDevices& plan,
                                                   const mpi::Buffer& buffer, int root, Work& work);
// `own` at the root may be in place; `all` are the root's.
[[nodiscard]] Schedule<> scatter_on_devices_schedule(const FromRootOnDevices& plan,
                                                     const mpi::Buffer& own, const Blocks& all,
                                                     int root, Work& work);

}  // namespace tightwire::collective
