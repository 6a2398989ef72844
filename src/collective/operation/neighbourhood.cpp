#include "collective/operation/neighbourhood.h"

#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "collective/move/block_exchange.h"
#include "mpi/byte_view.h"

namespace tightwire::collective {
namespace {

// By which both ends of a message order it among all others: how far around the ring of all ranks
// it goes, and how many between the two come before it. So every rank is at the same step as its
// partner, as in an all-to-all, and none waits for one that waits for another: neighbours in the
// program's own order could all wait around a cycle.
using StepKey = std::pair<int, int>;

class StepsInOrder {
 public:
  explicit StepsInOrder(const mpi::Communicator& communicator) : communicator_(communicator) {}

  void send(int to, int place, const mpi::Buffer& block) {
    if (to == MPI_PROC_NULL) return;
    Partners& step = step_of(to - communicator_.rank, place);
    step.send_to = to;
    step.send = block;
  }
  void receive(int from, int place, const mpi::Buffer& block) {
    if (from == MPI_PROC_NULL) return;
    Partners& step = step_of(communicator_.rank - from, place);
    step.receive_from = from;
    step.receive = block;
  }

  // Those with other ranks, and what this one has for itself.
  [[nodiscard]] std::vector<Partners> with_others() const {
    return in_order(1, communicator_.size);
  }
  [[nodiscard]] std::vector<Partners> with_itself() const { return in_order(0, 1); }

 private:
  Partners& step_of(int ranks_further, int place) {
    const int around = (ranks_further + communicator_.size) % communicator_.size;
    Partners& step = steps_[{around, place}];
    step.place = place;
    return step;
  }
  [[nodiscard]] std::vector<Partners> in_order(int first, int end) const {
    std::vector<Partners> steps;
    for (const auto& [key, partners] : steps_) {
      if (key.first >= first && key.first < end) steps.push_back(partners);
    }
    return steps;
  }

  const mpi::Communicator& communicator_;
  std::map<StepKey, Partners> steps_;
};

StepsInOrder steps_of(const mpi::Communicator& communicator, const Neighbourhood& neighbourhood,
                      const Blocks& from, const Blocks& to) {
  const mpi::Neighbours& neighbours = *neighbourhood.neighbours;
  const mpi::Pairing& pairing = neighbourhood.pairing->pairing();
  StepsInOrder steps(communicator);
  for (std::size_t i = 0; i < neighbours.destinations().size(); ++i) {
    steps.send(neighbours.destinations()[i], pairing.sent[i], from.of(static_cast<int>(i)));
  }
  for (std::size_t i = 0; i < neighbours.sources().size(); ++i) {
    steps.receive(neighbours.sources()[i], pairing.received[i], to.of(static_cast<int>(i)));
  }
  return steps;
}

// A pairing, as something that a schedule waits for.
class KnownPairing final : public Transfer {
 public:
  explicit KnownPairing(mpi::PairingQuery& query) : query_(query) {}

  [[nodiscard]] Awaiting<KnownPairing> known() { return {*this}; }
  [[nodiscard]] bool test() override { return query_.test(); }
  void wait() {
    while (!query_.test()) std::this_thread::yield();
  }

 private:
  mpi::PairingQuery& query_;
};

}  // namespace

Schedule<> neighbourhood_schedule(const MovementPlan& plan, const Neighbourhood& neighbourhood,
                                  const Blocks& from, const Blocks& to, Work& work) {
  mpi::Communicator& communicator = *plan.communicator;
  KnownPairing pairing(*neighbourhood.pairing);
  co_await pairing.known();
  const StepsInOrder steps = steps_of(communicator, neighbourhood, from, to);
  for (const Partners& own : steps.with_itself()) mpi::copy(own.send, own.receive, communicator);
  const std::vector<Partners> others = steps.with_others();
  co_await exchange_blocks(plan, others, work);
}

}  // namespace tightwire::collective
