#include "collective/move/broadcast.h"

#include <algorithm>
#include <vector>

#include "collective/history/frame_decoder.h"
#include "collective/history/frame_encoder.h"
#include "collective/transfer/tags.h"
#include "mpi/byte_parts.h"

namespace tightwire::collective {
namespace {

// Chunks on their way at once: enough to hide one behind another, little memory.
class Broadcast {
 public:
  Broadcast(mpi::Communicator& communicator, const BroadcastMessage& message, std::size_t capacity,
            Traffic& traffic)
      : communicator_(communicator),
        message_(message),
        traffic_(traffic),
        capacity_(capacity),
        slots_(make_slots(communicator, std::min(window, message.chunks), capacity)) {}

  Schedule<> send_all(FrameEncoder& encoder) {
    for (std::size_t chunk = 0; chunk < message_.chunks; ++chunk) {
      Slot& slot = slot_of(chunk);
      co_await slot.transferred();
      hand_on(chunk, encoder.encode(chunk, communicator_.sequence(chunk), slot.buffer()));
      for (Slot& other : slots_) other.poll();
    }
    co_await drain();
  }

  Schedule<> take_all(FrameDecoder& decoder, mpi::Health& health) {
    for (std::size_t chunk = 0; chunk < slots_.size(); ++chunk) receive(chunk);
    for (std::size_t chunk = 0; chunk < message_.chunks; ++chunk) {
      co_await take(chunk, decoder, health);
      // The slot before this one has had a chunk's time to be handed on: it can take another.
      if (chunk > 0 && chunk - 1 + slots_.size() < message_.chunks) {
        co_await slot_of(chunk - 1).transferred();
        receive(chunk - 1 + slots_.size());
      }
    }
    co_await drain();
  }

  [[nodiscard]] codec::Id tried() const { return tried_; }

 private:
  Slot& slot_of(std::size_t chunk) { return slots_[chunk % slots_.size()]; }

  void receive(std::size_t chunk) { slot_of(chunk).receive(message_.tree.parent, broadcast_tag); }

  void hand_on(std::size_t chunk, std::size_t size) {
    const std::vector<int>& children = message_.tree.children;
    if (message_.tree.in_turn) {
      slot_of(chunk).send_in_turn(size, children, broadcast_tag);
    } else {
      for (const int child : children) slot_of(chunk).send(size, child, broadcast_tag);
    }
    traffic_.bytes_before +=
        children.size() * mpi::byte_range(message_.values.size(), message_.chunks, chunk).count;
    traffic_.bytes_after += children.size() * size;
  }

  // Handed on before it is checked: whoever receives it checks it too.
  Schedule<> take(std::size_t chunk, FrameDecoder& decoder, mpi::Health& health) {
    Slot& slot = slot_of(chunk);
    const int sender = communicator_.program_rank(message_.tree.parent);
    const std::uint32_t sequence = communicator_.sequence(chunk);
    std::size_t size = co_await slot.transferred();
    if (size > capacity_) {
      health.note({wire::Problem::truncated, sender, sequence, {}});
      size = wire::write_failure(slot.buffer(), sequence,
                                 health.origin(communicator_.program_rank(communicator_.rank)));
    }
    hand_on(chunk, size);
    const wire::Unpacked unpacked = decoder.decode(slot.buffer().first(size), sequence, chunk);
    if (health.note(unpacked, sender, sequence)) tried_ = unpacked.tried;
  }

  Schedule<> drain() {
    for (Slot& slot : slots_) {
      co_await slot.transferred();
    }
  }

  mpi::Communicator& communicator_;
  const BroadcastMessage& message_;
  Traffic& traffic_;
  std::size_t capacity_;
  std::vector<Slot> slots_;
  codec::Id tried_ = codec::Id::raw;
};

}  // namespace

Schedule<> broadcast_from_root(mpi::Communicator& communicator, const BroadcastMessage& message,
                               const codec::Encoding& encoding, mpi::SentHistory& history,
                               Traffic& traffic) {
  ++communicator.calls;
  FrameEncoder encoder(communicator, message.values, message.chunks, encoding, history);
  Broadcast work(communicator, message, encoder.capacity(), traffic);
  co_await work.send_all(encoder);
}

Schedule<codec::Id> broadcast_to_others(mpi::Communicator& communicator,
                                        const BroadcastMessage& message, mpi::Health& health,
                                        Traffic& traffic) {
  ++communicator.calls;
  FrameDecoder decoder(communicator, message.root, message.values, message.chunks);
  Broadcast work(communicator, message, decoder.capacity(), traffic);
  co_await work.take_all(decoder, health);
  co_return work.tried();
}

}  // namespace tightwire::collective
