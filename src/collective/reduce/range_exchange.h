// The range of all ranks' values, which a relative bound of a reduction is a part of, for a call
// that may not wait for other ranks.
//
// By dissemination (Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization", IJPP
// 1988): in the k-th of log2(ranks) steps each rank tells the one 2^k further what it knows, and
// after the last it knows all.
#pragma once

#include "collective/plan/reduction_plan.h"
#include "collective/transfer/schedule.h"
#include "mpi/error.h"

namespace tightwire::collective {

// Makes a plan's encoding if its bound is open; the plan outlives the schedule. The range is the
// same on all ranks; where not all that was told could be read, that is noted, and it is not
// finite: then there is no bound. Throws MpiError.
[[nodiscard]] Schedule<> close_bound(ReductionPlan& plan, mpi::Health& health);

}  // namespace tightwire::collective
