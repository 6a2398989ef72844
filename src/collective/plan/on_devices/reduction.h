// Reductions that GPUs carry out where they have the values (device = compress).
//
// In each call that may be one its ranks tell each other whether all have theirs on a GPU, since a
// rank knows of its own buffers only; and with that what the bound is a part of, and what has come
// of the last one like it. After Huang et al., "gZCCL: Compression-Accelerated Collective
// Communication Framework for GPU Clusters" (ICS 2024), but that sums stay on one grid.
#pragma once

#include <optional>

#include "collective/plan/reduction_plan.h"

namespace tightwire::collective {

// `own` is what stands on the host for the buffer; the call is `valid`, as far as it can be told
// here. Nothing where it goes the usual way, on the host: the same on all ranks. Collective over
// `on` where what all ranks know alike does not rule it out. Throws MpiError.
// `segments` as of plan_reduction(). `may_stay`: whether this rank lets GPUs carry it out.
[[nodiscard]] std::optional<ReductionPlan> plan_reduction_on_devices(
    bool valid, bool may_stay, policy::Operation operation, const mpi::Buffer& own, MPI_Op op,
    const CalledOn& on, const std::vector<mpi::Part>& segments);

// When the call is over: what its values have come to.
void note_reduction_on_devices(const ReductionPlan& plan, const Traffic& traffic);

}  // namespace tightwire::collective
