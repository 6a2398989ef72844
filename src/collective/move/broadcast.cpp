#include "collective/move/broadcast.h"

#include <algorithm>
#include <vector>

#include "collective/transfer/tags.h"
#include "collective/transfer/together.h"
#include "mpi/byte_parts.h"
#include "mpi/communicator/node_lanes.h"
#include "os/waiting/spin_then_sleep.h"
#include "policy/cost/handing_on.h"

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
        unpacked_(slots_.size()),
        keeps_looking_(runtime::is_left_to_helpers(message.chunks)) {}

  Schedule<> send_all(FrameEncoder& encoder) {
    keeps_looking_ = keeps_looking_ && encoder.is_for_several_threads();
    while (coded_ < message_.chunks) {
      if (coded_ >= slots_.size()) co_await sent(coded_ - slots_.size());
      encode(encoder);
    }
    co_await sent(message_.chunks - 1);
  }

  Schedule<> take_all(FrameDecoder& decoder, mpi::Health& health) {
    receive_where_free();
    while (coded_ < message_.chunks) {
      NextArrival next(*this);
      size_of(coded_) = co_await Awaiting<NextArrival>{next};
      take(decoder, health);
      decode(decoder, health);
      // The slots before the last one have had a chunk's time to be handed on: they can take
      // another.
      while (received_ < message_.chunks && received_ + 1 < coded_ + slots_.size()) {
        co_await sent(received_ - slots_.size());
        receive();
      }
    }
    co_await sent(message_.chunks - 1);
  }

  [[nodiscard]] codec::Id tried() const { return tried_; }

 private:
  // What is here goes on while the next chunk is waited for.
  class NextArrival final : public Transfer {
   public:
    explicit NextArrival(Broadcast& broadcast) : broadcast_(broadcast) {}
    [[nodiscard]] bool test() override {
      broadcast_.hand_on();
      return slot().test();
    }
    std::size_t wait() {
      for (os::SpinThenSleep spin; broadcast_.handed_on_ < broadcast_.framed_ && !test();)
        spin.pause();
      return slot().wait();
    }

   private:
    Slot& slot() { return broadcast_.slot_of(broadcast_.framed_); }

    Broadcast& broadcast_;
  };

  Slot& slot_of(std::size_t chunk) { return slots_[chunk % slots_.size()]; }

  std::size_t& size_of(std::size_t chunk) { return sizes_[chunk % slots_.size()]; }
  wire::Unpacked& unpacked(std::size_t chunk) { return unpacked_[chunk % slots_.size()]; }
  [[nodiscard]] std::size_t chunk_bytes() const {
    return mpi::longest_byte_part(message_.values.size(), message_.chunks);
  }

  // The chunk that comes next.
  void receive() {
    slot_of(received_).receive(message_.tree.parent, broadcast_tag);
    ++received_;
  }
  void receive_where_free() {
    while (received_ < message_.chunks && received_ < coded_ + slots_.size() &&
           (received_ < slots_.size() || is_sent(received_ - slots_.size())))
      receive();
  }

  // Of the chunks that are here in frames, as many as may be under way at once.
  void hand_on() {
    while (handed_on_ < framed_ && !is_enough_under_way()) send(handed_on_++);
  }

  // Of a rank that keeps looking: where it does some of the work, the link would be idle meanwhile.
  bool is_enough_under_way() {
    if (!keeps_looking_) return false;
    look_for_sent();
    std::size_t bytes = 0;
    for (std::size_t chunk = sent_; chunk < handed_on_; ++chunk) bytes += size_of(chunk);
    return handed_on_ - sent_ >= policy::most_under_way && bytes >= policy::most_bytes_under_way;
  }

  void look_for_sent() {
    while (sent_ < handed_on_ && slot_of(sent_).test()) ++sent_;
  }

  // Whether its slot is free; lets MPI move data.
  bool is_sent(std::size_t chunk) {
    hand_on();
    look_for_sent();
    return chunk < sent_;
  }

  Schedule<> sent(std::size_t chunk) {
    for (hand_on(); handed_on_ <= chunk; hand_on()) co_await slot_of(sent_).transferred();
    for (; sent_ <= chunk; ++sent_) co_await slot_of(sent_).transferred();
  }

  void send(std::size_t chunk) {
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

  // The next chunk, which has come. It is handed on before it is checked: whoever receives it
  // checks it too.
  void take(FrameDecoder& decoder, mpi::Health& health) {
    const std::size_t chunk = framed_++;
    if (size_of(chunk) > capacity_) {
      const std::uint32_t sequence = communicator_.sequence(chunk);
      health.note({wire::Problem::truncated, sender(), sequence, {}});
      size_of(chunk) =
          wire::write_failure(slot_of(chunk).buffer(), sequence,
                              health.origin(communicator_.program_rank(communicator_.rank)));
    }
    hand_on();
    decoder.expect(frame(chunk));
  }

  // All from the next one on, as slots get free.
  void encode(FrameEncoder& encoder) {
    const std::size_t end = encoder.is_for_several_threads() ? message_.chunks : coded_ + 1;
    std::size_t free = coded_ + 1;
    together_as_they_come(
        {coded_, end}, slots_.size(), chunk_bytes(), Beside::nothing,
        [&] {
          hand_on();
          for (Slot& other : slots_) other.poll();
          while (free < end && free < coded_ + slots_.size() &&
                 (free < slots_.size() || is_sent(free - slots_.size())))
            ++free;
          return free;
        },
        [&](std::size_t chunk) {
          size_of(chunk) =
              encoder.encode(chunk, communicator_.sequence(chunk), slot_of(chunk).buffer());
        },
        [&](std::size_t chunk) {
          encoder.encoded(chunk, size_of(chunk));
          framed_ = ++coded_;
          hand_on();
        });
  }

  // All from the next one on, as they come.
  void decode(FrameDecoder& decoder, mpi::Health& health) {
    together_as_they_come(
        {coded_, message_.chunks}, slots_.size(), chunk_bytes(),
        keeps_looking_ && !message_.tree.children.empty() ? Beside::hands_on : Beside::nothing,
        [&] {
          hand_on();
          receive_where_free();
          while (framed_ < received_ && slot_of(framed_).test()) {
            size_of(framed_) = slot_of(framed_).wait();
            take(decoder, health);
          }
          return framed_;
        },
        [&](std::size_t chunk) {
          unpacked(chunk) = decoder.decode(frame(chunk), communicator_.sequence(chunk), chunk);
        },
        [&](std::size_t chunk) {
          decoder.decoded(chunk, unpacked(chunk));
          if (health.note(unpacked(chunk), sender(), communicator_.sequence(chunk)))
            tried_ = unpacked(chunk).tried;
          ++coded_;
        });
  }

  mpi::Communicator& communicator_;
  const BroadcastMessage& message_;
  Traffic& traffic_;
  std::size_t capacity_;
  std::vector<Slot> slots_;
  // By slot: of the frame, and what came out of it.
  std::vector<std::size_t> sizes_;
  std::vector<wire::Unpacked> unpacked_;
  bool keeps_looking_;
  // How many chunks: received or being received, here in a frame, decoded or encoded, handed on,
  // and out of their slots.
  std::size_t received_ = 0;
  std::size_t framed_ = 0;
  std::size_t coded_ = 0;
  std::size_t handed_on_ = 0;
  std::size_t sent_ = 0;
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
