#include "collective/operation/movements_between.h"

#include <algorithm>
#include <vector>

#include "collective/move/block_exchange.h"

namespace tightwire::collective {
namespace {

// Pairwise: at step s with the rank of the other group that is s further than one's own rank in
// one's own group, and with the one that is s before, around as many as the larger group has.
std::vector<Partners> steps_between(const mpi::Communicator& communicator, const Blocks& from,
                                    const Blocks& to) {
  const int others = communicator.others;
  const int around = std::max(others, communicator.size - others);
  const int own = communicator.program_rank(communicator.rank);
  std::vector<Partners> steps(static_cast<std::size_t>(around));
  for (int step = 0; step < around; ++step) {
    Partners& partners = steps[static_cast<std::size_t>(step)];
    const int next = (own + step) % around;
    const int previous = (own + around - step) % around;
    if (next < others) {
      partners.send_to = communicator.others_first + next;
      partners.send = from.of(next);
    }
    if (previous < others) {
      partners.receive_from = communicator.others_first + previous;
      partners.receive = to.of(previous);
    }
  }
  return steps;
}

}  // namespace

Schedule<> allgather_between_schedule(const MovementPlan& plan, const mpi::Buffer& own,
                                      const Blocks& all, Work& work) {
  const std::vector<Partners> steps = steps_between(*plan.communicator, Blocks::repeated(own), all);
  co_await exchange_blocks(plan, steps, work, Sent::the_same_to_all);
}

Schedule<> alltoall_between_schedule(const MovementPlan& plan, const Blocks& from, const Blocks& to,
                                     Work& work) {
  const std::vector<Partners> steps = steps_between(*plan.communicator, from, to);
  co_await exchange_blocks(plan, steps, work);
}

}  // namespace tightwire::collective
