#include "collective/ring_allgather.h"

#include <algorithm>

#include "collective/byte_parts.h"
#include "collective/early_send.h"

namespace tightwire::collective {
namespace {

constexpr int tag = 5;

class AllgatherRing {
 public:
  AllgatherRing(Communicator& communicator, const std::vector<GatheredBlock>& blocks,
                const Coding& coding, Health& health, Traffic& traffic)
      : communicator_(communicator),
        blocks_(blocks),
        coding_(coding),
        health_(health),
        traffic_(traffic),
        ranks_(static_cast<std::size_t>(communicator.size)),
        rank_(static_cast<std::size_t>(communicator.rank)),
        left_((communicator.rank + communicator.size - 1) % communicator.size),
        right_((communicator.rank + 1) % communicator.size),
        most_chunks_(chunks_of_longest()),
        capacity_(largest_frame()),
        incoming_(make_slots(communicator, most_chunks_, capacity_)),
        outgoing_(make_slots(communicator, most_chunks_, capacity_)) {}

  void run(const OwnBlock& own) {
    for (std::size_t chunk = 0; chunk < arriving(0).chunks; ++chunk) {
      incoming_[chunk].receive(left_, tag);
    }
    send_own(own);
    for (std::size_t hop = 0; hop + 1 < ranks_; ++hop) {
      for (std::size_t chunk = 0; chunk < most_chunks_; ++chunk) pass_on(hop, chunk);
    }
    for (Slot& slot : outgoing_) slot.wait();
  }

 private:
  [[nodiscard]] std::size_t chunks_of_longest() const {
    std::size_t most = 0;
    for (const GatheredBlock& block : blocks_) most = std::max(most, block.chunks);
    return most;
  }

  // Buffers change between the directions, so all hold what the own coding may need.
  [[nodiscard]] std::size_t largest_frame() const {
    std::size_t largest = 0;
    for (const GatheredBlock& block : blocks_) {
      if (block.chunks == 0) continue;
      const std::size_t part = longest_byte_part(block.values.size(), block.chunks);
      largest = std::max({largest, wire::max_frame_size(part),
                          wire::packing_size(*coding_.codec, coding_.type, part)});
    }
    return largest;
  }

  // The owner of the block that arrives at a hop.
  [[nodiscard]] std::size_t owner(std::size_t hop) const {
    return (rank_ + ranks_ - hop - 1) % ranks_;
  }
  [[nodiscard]] const GatheredBlock& arriving(std::size_t hop) const { return blocks_[owner(hop)]; }

  [[nodiscard]] std::span<std::byte> part(const GatheredBlock& block, std::size_t chunk) const {
    return byte_part(block.values, block.chunks, chunk);
  }

  // No two frames of the call have the same.
  [[nodiscard]] std::uint32_t sequence(std::size_t block_owner, std::size_t chunk) const {
    return communicator_.sequence(block_owner * most_chunks_ + chunk);
  }

  void send_own(const OwnBlock& own) {
    const GatheredBlock& block = blocks_[rank_];
    early::Send early =
        begin_early(own.values, block.chunks, coding_, communicator_.network.bandwidth);
    for (std::size_t chunk = 0; chunk < block.chunks; ++chunk) {
      Slot& slot = outgoing_[chunk];
      const std::size_t size =
          pack_early(early, chunk, coding_, byte_part(own.values, block.chunks, chunk),
                     sequence(rank_, chunk), slot.buffer());
      send(block, chunk, size);
      if (own.expand) expand(rank_, chunk, slot.buffer().first(size));
    }
  }

  void send(const GatheredBlock& block, std::size_t chunk, std::size_t size) {
    outgoing_[chunk].send(size, right_, tag);
    traffic_.bytes_before += part(block, chunk).size();
    traffic_.bytes_after += size;
  }

  void expand(std::size_t block_owner, std::size_t chunk, std::span<const std::byte> frame) {
    const std::uint32_t place = sequence(block_owner, chunk);
    health_.note(wire::unpack(frame, std::nullopt, place, part(blocks_[block_owner], chunk)), left_,
                 place);
  }

  void pass_on(std::size_t hop, std::size_t chunk) {
    const bool last = hop + 2 == ranks_;
    Slot& slot = outgoing_[chunk];
    const bool arrives = chunk < arriving(hop).chunks;
    std::size_t size = 0;
    if (arrives) {
      size = incoming_[chunk].wait();
      slot.wait();
      incoming_[chunk].swap_buffers(slot);
      if (size > capacity_) {
        const std::uint32_t place = sequence(owner(hop), chunk);
        health_.note({wire::Problem::truncated, left_, place, {}});
        size = wire::write_failure(slot.buffer(), place, health_.origin(communicator_.rank));
      }
    }
    if (!last && chunk < arriving(hop + 1).chunks) incoming_[chunk].receive(left_, tag);
    if (!arrives) return;
    if (!last) send(arriving(hop), chunk, size);
    expand(owner(hop), chunk, slot.buffer().first(size));
  }

  Communicator& communicator_;
  const std::vector<GatheredBlock>& blocks_;
  const Coding& coding_;
  Health& health_;
  Traffic& traffic_;
  std::size_t ranks_;
  std::size_t rank_;
  int left_;
  int right_;
  std::size_t most_chunks_;
  std::size_t capacity_;
  std::vector<Slot> incoming_;
  std::vector<Slot> outgoing_;
};

}  // namespace

void ring_allgather(Communicator& communicator, const std::vector<GatheredBlock>& blocks,
                    const Coding& coding, const OwnBlock& own, Health& health, Traffic& traffic) {
  ++communicator.calls;
  AllgatherRing(communicator, blocks, coding, health, traffic).run(own);
}

}  // namespace tightwire::collective
