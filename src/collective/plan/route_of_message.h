// Where a message of a movement goes: how many transfers, links, receivers and senders it has, for
// the cost model.
#pragma once

#include <cstddef>

#include "collective/plan/movement_plan.h"

namespace tightwire::collective {

// One after the other, until the last rank has it.
[[nodiscard]] double transfers_of(const MovementPlan& plan, std::size_t bytes);
// As of policy::MessageFacts.
[[nodiscard]] int links_of(const MovementPlan& plan);
[[nodiscard]] int receivers_of(const MovementPlan& plan);
[[nodiscard]] int senders_of(const MovementPlan& plan);

}  // namespace tightwire::collective
