#include "collective/move/broadcast.h"

#include <algorithm>
#include <vector>

#include "collective/transfer/tags.h"
#include "collective/transfer/together.h"
#include "mpi/byte_parts.h"
#include "mpi/communicator/node_lanes.h"

namespace tightwire::collective {
namespace {

class Broadcast {
 public:
  Broadcast(mpi::Communicator& communicator, const BroadcastMessage& message, std::size_t capacity,
            Traffic& traffic)
      : communicator_(communicator),
        message_(message),
        traffic_(traffic),
        capacity_(capacity),
        slots_(make_slots(communicator, window(message.chunks), capacity)),
        sizes_(slots_.size()),
        unpacked_(slots_.size()) {}

  Schedule<> send_all(FrameEncoder& encoder) {
    for (PieceRange now; now.begin < message_.chunks; now.begin = now.end) {
      co_await slot_of(now.begin).transferred();
      now = encoder.is_for_several_threads() ? with_next_free(now.begin)
                                             : PieceRange{now.begin, now.begin + 1};
      together(
          now, chunk_bytes(),
          [&](std::size_t chunk) {
            size_of(chunk) =
                encoder.encode(chunk, communicator_.sequence(chunk), slot_of(chunk).buffer());
          },
          [&](std::size_t chunk) {
            encoder.encoded(chunk, size_of(chunk));
            hand_on(chunk);
            for (Slot& other : slots_) other.poll();
          });
    }
    co_await drain();
  }

  Schedule<> take_all(FrameDecoder& decoder, mpi::Health& health) {
    for (std::size_t chunk = 0; chunk < slots_.size(); ++chunk) receive(chunk);
    for (PieceRange now; now.begin < message_.chunks; now.begin = now.end) {
      size_of(now.begin) = co_await slot_of(now.begin).transferred();
      pass_on(now.begin, decoder, health);
      now = with_next_arrived(now.begin, decoder, health);
      decode(now, decoder, health);
      // The slots before the last one have had a chunk's time to be handed on: they can take
      // another.
      while (received_ < message_.chunks && received_ + 1 < now.end + slots_.size()) {
        co_await slot_of(received_).transferred();
        receive(received_);
      }
    }
    co_await drain();
  }

  [[nodiscard]] codec::Id tried() const { return tried_; }

 private:
  Slot& slot_of(std::size_t chunk) { return slots_[chunk % slots_.size()]; }

  std::size_t& size_of(std::size_t chunk) { return sizes_[chunk % slots_.size()]; }
  wire::Unpacked& unpacked(std::size_t chunk) { return unpacked_[chunk % slots_.size()]; }
  [[nodiscard]] std::size_t chunk_bytes() const {
    return mpi::longest_byte_part(message_.values.size(), message_.chunks);
  }

  PieceRange with_next_free(std::size_t first) {
    const std::size_t end = std::min(message_.chunks, first + slots_.size());
    return with_next(first, end, chunk_bytes(),
                     [this](std::size_t chunk) { return slot_of(chunk).test(); });
  }
  PieceRange with_next_arrived(std::size_t first, FrameDecoder& decoder, mpi::Health& health) {
    return with_next(first, received_, chunk_bytes(), [&](std::size_t chunk) {
      if (!slot_of(chunk).test()) return false;
      size_of(chunk) = slot_of(chunk).wait();
      pass_on(chunk, decoder, health);
      return true;
    });
  }

  // The chunk that comes next.
  void receive(std::size_t chunk) {
    slot_of(chunk).receive(message_.tree.parent, broadcast_tag);
    received_ = chunk + 1;
  }

  void hand_on(std::size_t chunk) {
    const std::size_t size = size_of(chunk);
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

  [[nodiscard]] int sender() const { return communicator_.program_rank(message_.tree.parent); }
  [[nodiscard]] std::span<const std::byte> frame(std::size_t chunk) {
    return slot_of(chunk).buffer().first(size_of(chunk));
  }

  // Before it is checked: whoever receives it checks it too.
  void pass_on(std::size_t chunk, FrameDecoder& decoder, mpi::Health& health) {
    if (size_of(chunk) > capacity_) {
      const std::uint32_t sequence = communicator_.sequence(chunk);
      health.note({wire::Problem::truncated, sender(), sequence, {}});
      size_of(chunk) =
          wire::write_failure(slot_of(chunk).buffer(), sequence,
                              health.origin(communicator_.program_rank(communicator_.rank)));
    }
    hand_on(chunk);
    decoder.expect(frame(chunk));
  }

  void decode(PieceRange now, FrameDecoder& decoder, mpi::Health& health) {
    together(
        now, chunk_bytes(),
        [&](std::size_t chunk) {
          unpacked(chunk) = decoder.decode(frame(chunk), communicator_.sequence(chunk), chunk);
        },
        [&](std::size_t chunk) {
          decoder.decoded(chunk, unpacked(chunk));
          if (health.note(unpacked(chunk), sender(), communicator_.sequence(chunk)))
            tried_ = unpacked(chunk).tried;
        });
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
  // By slot: of the frame, and what came out of it.
  std::vector<std::size_t> sizes_;
  std::vector<wire::Unpacked> unpacked_;
  std::size_t received_ = 0;  // or being received
  codec::Id tried_ = codec::Id::raw;
};

}  // namespace

policy::Tree broadcast_tree(const mpi::Communicator& communicator, int root,
                            const policy::HandedOn& message) {
  const mpi::NodeLanes* const lanes = communicator.lanes();
  if (lanes == nullptr) {
    return policy::best_tree(communicator.rank, root, communicator.size, message);
  }
  return policy::tree_over_hosts({lanes->host, lanes->local}, lanes->place_of(root), lanes->ranks,
                                 message);
}

Schedule<> broadcast_from_root(mpi::Communicator& communicator, const BroadcastMessage& message,
                               FrameEncoder& encoder, Traffic& traffic) {
  ++communicator.calls;
  Broadcast work(communicator, message, encoder.capacity(), traffic);
  co_await work.send_all(encoder);
}

Schedule<codec::Id> broadcast_to_others(mpi::Communicator& communicator,
                                        const BroadcastMessage& message, FrameDecoder& decoder,
                                        mpi::Health& health, Traffic& traffic) {
  ++communicator.calls;
  Broadcast work(communicator, message, decoder.capacity(), traffic);
  co_await work.take_all(decoder, health);
  co_return work.tried();
}

}  // namespace tightwire::collective
