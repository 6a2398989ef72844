#include "collective/move/broadcast.h"

#include <algorithm>
#include <vector>

#include "collective/transfer/tags.h"
#include "mpi/byte_parts.h"
#include "mpi/encoding/early_send.h"

namespace tightwire::collective {
namespace {

// Chunks on their way at once: enough to hide one behind another, little memory.
class Broadcast {
 public:
  Broadcast(mpi::Communicator& communicator, const policy::Tree& tree,
            const codec::Encoding* encoding, std::span<std::byte> values, std::size_t chunks,
            mpi::Health& health, Traffic& traffic)
      : communicator_(communicator),
        tree_(tree),
        values_(values),
        chunks_(chunks),
        health_(health),
        traffic_(traffic),
        capacity_(frame_capacity(encoding)),
        slots_(make_slots(communicator, std::min(window, chunks), capacity_)) {}

  Schedule<> from_root(const codec::Encoding& encoding) {
    early::Send early =
        mpi::begin_early(values_, chunks_, encoding, communicator_.network.bandwidth);
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
      Slot& slot = slot_of(chunk);
      co_await slot.transferred();
      const std::size_t size =
          mpi::pack_early(early, chunk, encoding, part(chunk), sequence(chunk), slot.buffer());
      hand_on(chunk, size);
      for (Slot& other : slots_) other.poll();
    }
    for (Slot& slot : slots_) {
      co_await slot.transferred();
    }
  }

  Schedule<> to_others() {
    for (std::size_t chunk = 0; chunk < slots_.size(); ++chunk) receive(chunk);
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
      co_await take(chunk);
      // The slot before this one has had a chunk's time to be handed on: it can take another.
      if (chunk > 0 && chunk - 1 + slots_.size() < chunks_) {
        co_await slot_of(chunk - 1).transferred();
        receive(chunk - 1 + slots_.size());
      }
    }
    for (Slot& slot : slots_) {
      co_await slot.transferred();
    }
  }

  [[nodiscard]] codec::Id tried() const { return tried_; }

 private:
  [[nodiscard]] std::size_t frame_capacity(const codec::Encoding* encoding) const {
    const std::size_t longest = mpi::longest_byte_part(values_.size(), chunks_);
    return encoding != nullptr ? wire::packing_size(*encoding->codec, encoding->type, longest)
                               : wire::max_frame_size(longest);
  }

  Slot& slot_of(std::size_t chunk) { return slots_[chunk % slots_.size()]; }

  [[nodiscard]] std::uint32_t sequence(std::size_t chunk) const {
    return communicator_.sequence(chunk);
  }

  [[nodiscard]] std::span<std::byte> part(std::size_t chunk) const {
    return mpi::byte_part(values_, chunks_, chunk);
  }

  void receive(std::size_t chunk) { slot_of(chunk).receive(tree_.parent, broadcast_tag); }

  void hand_on(std::size_t chunk, std::size_t size) {
    for (const int child : tree_.children) slot_of(chunk).send(size, child, broadcast_tag);
    traffic_.bytes_before += tree_.children.size() * part(chunk).size();
    traffic_.bytes_after += tree_.children.size() * size;
  }

  // Handed on before it is checked: whoever receives it checks it too.
  Schedule<> take(std::size_t chunk) {
    Slot& slot = slot_of(chunk);
    std::size_t size = co_await slot.transferred();
    if (size > capacity_) {
      health_.note({wire::Problem::truncated, tree_.parent, sequence(chunk), {}});
      size =
          wire::write_failure(slot.buffer(), sequence(chunk), health_.origin(communicator_.rank));
    }
    hand_on(chunk, size);
    const wire::Unpacked unpacked =
        wire::unpack(slot.buffer().first(size), std::nullopt, sequence(chunk), part(chunk));
    if (health_.note(unpacked, tree_.parent, sequence(chunk))) tried_ = unpacked.tried;
  }

  mpi::Communicator& communicator_;
  const policy::Tree& tree_;
  std::span<std::byte> values_;
  std::size_t chunks_;
  mpi::Health& health_;
  Traffic& traffic_;
  std::size_t capacity_;
  std::vector<Slot> slots_;
  codec::Id tried_ = codec::Id::raw;
};

}  // namespace

Schedule<codec::Id> broadcast(mpi::Communicator& communicator, const policy::Tree& tree,
                              const codec::Encoding* encoding, std::span<std::byte> values,
                              std::size_t chunks, mpi::Health& health, Traffic& traffic) {
  ++communicator.calls;
  Broadcast work(communicator, tree, encoding, values, chunks, health, traffic);
  if (encoding != nullptr) {
    co_await work.from_root(*encoding);
    co_return encoding->codec->id();
  }
  co_await work.to_others();
  co_return work.tried();
}

}  // namespace tightwire::collective
