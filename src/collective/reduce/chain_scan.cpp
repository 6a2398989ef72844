#include "collective/reduce/chain_scan.h"

#include <vector>

#include "collective/transfer/tags.h"
#include "mpi/partition.h"

namespace tightwire::collective {
namespace {

// Chunks on their way at once, in each direction.
class ChainScan {
 public:
  ChainScan(mpi::Communicator& communicator, FrameReducer& reducer, const ScanMessage& message,
            bool inclusive, mpi::Health& health, Traffic& traffic)
      : communicator_(communicator),
        reducer_(reducer),
        message_(message),
        inclusive_(inclusive),
        health_(health),
        traffic_(traffic),
        first_(communicator.rank == 0),
        last_(communicator.rank + 1 == communicator.size),
        slots_(window(message.chunks)),
        capacity_(reducer.max_frame_size(mpi::longest_part(message.items, message.chunks) *
                                         message.item_size)),
        incoming_(make_slots(communicator, slots(), capacity_)),
        outgoing_(make_slots(communicator, slots(), capacity_)) {}

  Schedule<> run() {
    if (!first_) {
      for (Slot& slot : incoming_) receive(slot);
    }
    for (std::size_t chunk = 0; chunk < message_.chunks; ++chunk) {
      Slot& out = outgoing_[chunk % slots()];
      co_await out.transferred();
      std::size_t size = 0;
      if (first_) {
        size = begin(chunk, out);
      } else {
        size = co_await merge(chunk, out);
      }
      if (inclusive_) decode(chunk, out.buffer().first(size));
      if (!last_) send(chunk, out, size);
    }
    for (Slot& slot : outgoing_) {
      co_await slot.transferred();
    }
  }

 private:
  [[nodiscard]] std::size_t slots() const { return slots_; }

  [[nodiscard]] std::uint32_t sequence(std::size_t chunk) const {
    return communicator_.sequence(chunk);
  }

  [[nodiscard]] std::span<const std::byte> own(std::size_t chunk) const {
    const mpi::Part p = mpi::part_of({0, message_.items}, message_.chunks, chunk);
    return message_.own.subspan(p.begin * message_.item_size, p.count * message_.item_size);
  }

  [[nodiscard]] std::span<std::byte> result(std::size_t chunk) const {
    const mpi::Part p = mpi::part_of({0, message_.items}, message_.chunks, chunk);
    return message_.result.subspan(p.begin * message_.item_size, p.count * message_.item_size);
  }

  void receive(Slot& slot) { slot.receive(communicator_.rank - 1, scan_tag); }

  std::size_t begin(std::size_t chunk, Slot& out) {
    return reducer_.start(own(chunk), sequence(chunk), out.buffer());
  }

  // The outgoing frame is complete before the result is written: they may share the own values.
  Schedule<std::size_t> merge(std::size_t chunk, Slot& out) {
    Slot& in = incoming_[chunk % slots()];
    const std::size_t received = co_await in.transferred();
    std::size_t size = 0;
    if (received > capacity_) {
      health_.note({wire::Problem::truncated, communicator_.rank - 1, sequence(chunk), {}});
    } else {
      const std::span<const std::byte> frame = in.buffer().first(received);
      const FrameReducer::Merged merged =
          reducer_.merge(frame, own(chunk), sequence(chunk), out.buffer());
      if (health_.note(merged.incoming, communicator_.rank - 1, sequence(chunk))) {
        size = merged.size;
      }
      if (!inclusive_) decode(chunk, frame);
    }
    if (chunk + slots() < message_.chunks) receive(in);
    if (size > 0) co_return size;
    co_return wire::write_failure(out.buffer(), sequence(chunk),
                                  health_.origin(communicator_.rank));
  }

  void decode(std::size_t chunk, std::span<const std::byte> frame) {
    health_.note(reducer_.finish(frame, sequence(chunk), result(chunk)), communicator_.rank - 1,
                 sequence(chunk));
  }

  void send(std::size_t chunk, Slot& out, std::size_t size) {
    out.send(size, communicator_.rank + 1, scan_tag);
    traffic_.bytes_before += own(chunk).size();
    traffic_.bytes_after += size;
  }

  mpi::Communicator& communicator_;
  FrameReducer& reducer_;
  const ScanMessage& message_;
  bool inclusive_;
  mpi::Health& health_;
  Traffic& traffic_;
  bool first_;
  bool last_;
  std::size_t slots_;
  std::size_t capacity_;
  std::vector<Slot> incoming_;
  std::vector<Slot> outgoing_;
};

}  // namespace

Schedule<> chain_scan(mpi::Communicator& communicator, FrameReducer& reducer,
                      const ScanMessage& message, bool inclusive, mpi::Health& health,
                      Traffic& traffic) {
  ChainScan work(communicator, reducer, message, inclusive, health, traffic);
  co_await work.run();
}

}  // namespace tightwire::collective
