// What a plan still needs of other ranks when its call is carried out in the background.
#pragma once

#include "collective/plan/movement_plan.h"
#include "collective/plan/reduction_plan.h"
#include "collective/transfer/schedule.h"
#include "mpi/error.h"

namespace tightwire::collective {

// Before the schedule of the algorithm begins; what it refers to outlives it. Throw MpiError.
[[nodiscard]] inline Schedule<> close_plan(MovementPlan& /*plan*/, mpi::Health& /*health*/) {
  co_return;
}
[[nodiscard]] Schedule<> close_plan(ReductionPlan& plan, mpi::Health& health);

}  // namespace tightwire::collective
