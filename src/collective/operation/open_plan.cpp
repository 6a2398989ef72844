#include "collective/operation/open_plan.h"

#include "collective/reduce/range_exchange.h"
#include "mpi/encoding/range.h"

namespace tightwire::collective {

Schedule<> close_plan(ReductionPlan& plan, mpi::Health& health) {
  if (!plan.open_bound) co_return;
  const Reduction& reduction = plan.reduction;
  const codec::ValueRange own = mpi::own_range(reduction.type.element, reduction.values());
  const codec::ValueRange range =
      co_await exchange_ranges(*plan.decision.communicator, own, health);
  plan.take_range(own, range);
}

}  // namespace tightwire::collective
