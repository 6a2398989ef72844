#include "collective/reduce/range_exchange.h"

#include <algorithm>
#include <limits>
#include <span>

#include "codec/codec.h"
#include "collective/transfer/slot.h"
#include "collective/transfer/tags.h"
#include "mpi/encoding/range.h"
#include "wire/pack.h"

namespace tightwire::collective {
namespace {

using mpi::RangeExtremes;

// One rank's part.
class RangeExchange {
 public:
  RangeExchange(mpi::Communicator& communicator, const codec::ValueRange& own, mpi::Health& health)
      : communicator_(communicator),
        health_(health),
        known_(mpi::extremes_of(own)),
        out_(communicator, wire::max_frame_size(sizeof(RangeExtremes))),
        in_(communicator, wire::max_frame_size(sizeof(RangeExtremes))) {
    ++communicator.calls;
  }

  Schedule<> run() {
    const int ranks = communicator_.size;
    std::size_t step = 0;
    for (int distance = 1; distance < ranks; distance *= 2, ++step) {
      const int source = (communicator_.rank - distance + ranks) % ranks;
      in_.receive(source, range_tag);
      out_.send(write(step), (communicator_.rank + distance) % ranks, range_tag);
      const std::size_t received = co_await in_.transferred();
      read(step, received, source);
      co_await out_.transferred();
    }
  }

  [[nodiscard]] codec::ValueRange range() const {
    if (!health_.failed()) return mpi::range_of_all(known_);
    return {0, std::numeric_limits<double>::infinity(), true};
  }

 private:
  // The frame of what this rank knows. Returns its size.
  std::size_t write(std::size_t step) {
    const std::uint32_t sequence = communicator_.sequence(step);
    if (health_.failed()) {
      const int self = communicator_.program_rank(communicator_.rank);
      return wire::write_failure(out_.buffer(), sequence, health_.origin(self));
    }
    return wire::pack(*codec::find(codec::Id::raw), codec::ElementType::float64,
                      std::as_bytes(std::span(known_)), {}, sequence, out_.buffer());
  }

  void read(std::size_t step, std::size_t received, int source) {
    const std::uint32_t sequence = communicator_.sequence(step);
    const int sender = communicator_.program_rank(source);
    if (received > in_.buffer().size()) {
      health_.note({wire::Problem::truncated, sender, sequence, {}});
      return;
    }
    RangeExtremes told{};
    const wire::Unpacked state =
        wire::unpack(in_.buffer().first(received), codec::ElementType::float64, sequence,
                     std::as_writable_bytes(std::span(told)));
    if (!health_.note(state, sender, sequence)) return;
    std::ranges::transform(known_, told, known_.begin(),
                           [](double a, double b) { return std::max(a, b); });
  }

  mpi::Communicator& communicator_;
  mpi::Health& health_;
  RangeExtremes known_;
  Slot out_;
  Slot in_;
};

}  // namespace

Schedule<> close_bound(ReductionPlan& plan, mpi::Health& health) {
  if (!plan.open_bound) co_return;
  const Reduction& reduction = plan.reduction;
  const codec::ValueRange own = mpi::own_range(reduction.type.element, reduction.values());
  RangeExchange exchange(*plan.decision.communicator, own, health);
  co_await exchange.run();
  plan.take_range(own, exchange.range());
}

}  // namespace tightwire::collective
