#include "collective/reduce/recursive_doubling.h"

#include <utility>

#include "collective/reduce/power_of_two.h"

namespace tightwire::collective {
namespace {

constexpr int tag = 9;

class RecursiveDoubling {
 public:
  RecursiveDoubling(mpi::Communicator& communicator, ReductionFrames& frames)
      : frames_(frames),
        rank_(communicator.rank),
        power_(communicator.rank, communicator.size),
        sizes_(frames.chunks()),
        held_(make_slots(communicator, frames.chunks(), frames.capacity())),
        incoming_(make_slots(communicator, frames.chunks(), frames.capacity())),
        combined_(make_slots(communicator, frames.chunks(), frames.capacity())) {}

  Schedule<> allreduce() {
    if (power_.aside()) {
      for (std::size_t chunk = 0; chunk < frames_.chunks(); ++chunk) {
        start(chunk);
        send(chunk, power_.partner());
      }
      co_await take_result();
    } else {
      co_await work();
    }
    for (std::size_t chunk = 0; chunk < frames_.chunks(); ++chunk) {
      frames_.finish({0, chunk}, held(chunk));
      co_await held_[chunk].transferred();
    }
  }

 private:
  Schedule<> work() {
    const bool for_two = power_.in_pair();
    if (for_two) receive_all(power_.partner());
    int distance = 1;
    if (distance < power_.workers() && !for_two) receive_all(peer(distance));
    for (std::size_t chunk = 0; chunk < frames_.chunks(); ++chunk) {
      if (for_two) {
        co_await merge(chunk, power_.partner());
      } else {
        start(chunk);
      }
      if (for_two && distance < power_.workers()) receive(chunk, peer(distance));
      if (distance < power_.workers()) send(chunk, peer(distance));
    }
    for (; distance < power_.workers(); distance *= 2) {
      const bool last = distance * 2 == power_.workers();
      for (std::size_t chunk = 0; chunk < frames_.chunks(); ++chunk) {
        co_await combine(chunk, peer(distance));
        if (last) continue;
        receive(chunk, peer(distance * 2));
        send(chunk, peer(distance * 2));
      }
    }
    for (std::size_t chunk = 0; for_two && chunk < frames_.chunks(); ++chunk) {
      send(chunk, power_.partner());
    }
  }

  [[nodiscard]] int peer(int distance) const { return power_.rank_of(power_.number() ^ distance); }

  [[nodiscard]] HeldFrame held(std::size_t chunk) const {
    return {held_[chunk].buffer().first(sizes_[chunk]), rank_};
  }

  void start(std::size_t chunk) { sizes_[chunk] = frames_.start({0, chunk}, held_[chunk]); }

  void send(std::size_t chunk, int peer) {
    frames_.send({0, chunk}, held_[chunk], sizes_[chunk], peer, tag);
  }
  void receive(std::size_t chunk, int peer) { incoming_[chunk].receive(peer, tag); }
  void receive_all(int peer) {
    for (Slot& slot : incoming_) slot.receive(peer, tag);
  }

  Schedule<> merge(std::size_t chunk, int peer) {
    const std::size_t received = co_await incoming_[chunk].transferred();
    sizes_[chunk] = frames_.merge({0, chunk}, incoming_[chunk], received, peer, held_[chunk]);
  }

  // What is held is being sent meanwhile, so the outcome goes elsewhere first.
  Schedule<> combine(std::size_t chunk, int peer) {
    std::size_t received = co_await incoming_[chunk].transferred();
    received = frames_.accept({0, chunk}, incoming_[chunk], received, peer);
    HeldFrame first = held(chunk);
    HeldFrame second{incoming_[chunk].buffer().first(received), peer};
    if (peer < rank_) std::swap(first, second);
    sizes_[chunk] = frames_.combine({0, chunk}, first, second, combined_[chunk]);
    co_await held_[chunk].transferred();
    held_[chunk].swap_buffers(combined_[chunk]);
  }

  // For a rank that stands aside: from the one that worked for it.
  Schedule<> take_result() {
    receive_all(power_.partner());
    for (std::size_t chunk = 0; chunk < frames_.chunks(); ++chunk) {
      const std::size_t received = co_await incoming_[chunk].transferred();
      co_await held_[chunk].transferred();
      held_[chunk].swap_buffers(incoming_[chunk]);
      sizes_[chunk] = frames_.accept({0, chunk}, held_[chunk], received, power_.partner());
    }
  }

  ReductionFrames& frames_;
  int rank_;
  PowerOfTwo power_;
  std::vector<std::size_t> sizes_;  // of the frames that are held
  std::vector<Slot> held_;
  std::vector<Slot> incoming_;
  std::vector<Slot> combined_;
};

}  // namespace

Schedule<> recursive_doubling_allreduce(mpi::Communicator& communicator, FrameReducer& reducer,
                                        const ReductionMessage& message, mpi::Health& health,
                                        Traffic& traffic) {
  ReductionFrames frames(communicator, reducer, message, health, traffic);
  RecursiveDoubling doubling(communicator, frames);
  co_await doubling.allreduce();
}

}  // namespace tightwire::collective
