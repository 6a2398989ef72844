#include "collective/reduce/recursive_doubling.h"

#include "collective/reduce/held_pieces.h"
#include "collective/reduce/power_of_two.h"
#include "collective/transfer/tags.h"

namespace tightwire::collective {
namespace {

class RecursiveDoubling {
 public:
  RecursiveDoubling(mpi::Communicator& communicator, ReductionFrames& frames)
      : power_(communicator.rank, communicator.size),
        pieces_(communicator, frames, recursive_doubling_tag) {}

  Schedule<> allreduce() {
    if (power_.aside()) {
      co_await stand_aside();
    } else {
      co_await work();
    }
    pieces_.finish(pieces_.all());
    co_await pieces_.all_sent();
  }

 private:
  // The partner works for this rank, too.
  Schedule<> stand_aside() {
    pieces_.start(pieces_.all(),
                  [this](std::size_t chunk) { pieces_.send(chunk, power_.partner()); });
    pieces_.receive(pieces_.all(), power_.partner());
    co_await pieces_.take(pieces_.all(), power_.partner(), [](PieceRange) {});
  }

  Schedule<> work() {
    const bool for_two = power_.in_pair();
    if (for_two) pieces_.receive(pieces_.all(), power_.partner());
    int distance = 1;
    if (distance < power_.workers() && !for_two) pieces_.receive(pieces_.all(), peer(distance));
    const auto send = [&](std::size_t chunk) {
      if (for_two && distance < power_.workers()) pieces_.receive(chunk, peer(distance));
      if (distance < power_.workers()) pieces_.send(chunk, peer(distance));
    };
    if (for_two) {
      co_await pieces_.merge(pieces_.all(), power_.partner(), send);
    } else {
      pieces_.start(pieces_.all(), send);
    }
    for (; distance < power_.workers(); distance *= 2) {
      const bool last = distance * 2 == power_.workers();
      co_await pieces_.combine(pieces_.all(), peer(distance), HeldPieces::Order::by_rank,
                               [&](std::size_t chunk) {
                                 if (last) return;
                                 pieces_.receive(chunk, peer(distance * 2));
                                 pieces_.send(chunk, peer(distance * 2));
                               });
    }
    if (for_two) pieces_.send(pieces_.all(), power_.partner());
  }

  [[nodiscard]] int peer(int distance) const { return power_.rank_of(power_.number() ^ distance); }

  PowerOfTwo power_;
  HeldPieces pieces_;
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
