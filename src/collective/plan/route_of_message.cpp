#include "collective/plan/route_of_message.h"

#include <algorithm>

#include "policy/cost/cost.h"
#include "policy/cost/tree.h"

namespace tightwire::collective {

// A Bcast's message is encoded once and decoded at the same time by all, but has some way to go.
double transfers_of(const MovementPlan& plan, std::size_t bytes) {
  if (plan.operation != policy::Operation::bcast || bytes == 0) return 1;
  // What a core is at work is reckoned beside what links carry.
  return policy::transfers_of_links_along_tree(plan.communicator->size_of_tree(),
                                               plan_message(plan, bytes).moved);
}

// A gathered block goes around the ring of all ranks.
int links_of(const MovementPlan& plan) {
  const bool goes_around = plan.operation == policy::Operation::allgather &&
                           !plan.communicator->participants.are_between();
  return goes_around ? std::max(plan.communicator->size - 1, 1) : 1;
}

// Of a v-operation it is not known how long the other blocks are.
int receivers_of(const MovementPlan& plan) {
  if (plan.uneven.communicator != nullptr) return 1;
  return policy::messages_at_once(plan.operation, plan.communicator->comparable_size());
}

// The same of those who send to the root of a Gather over its link: as many are on other hosts than
// this rank, where each host has as many.
int senders_of(const MovementPlan& plan) {
  if (plan.uneven.communicator != nullptr || plan.operation != policy::Operation::gather) return 1;
  return std::max(plan.communicator->hosts->ranks_across(), 1);
}

}  // namespace tightwire::collective
