#include "collective/move/ring_allgather.h"

#include <algorithm>

#include "collective/history/frame_decoder.h"
#include "collective/history/frame_encoder.h"
#include "collective/transfer/tags.h"
#include "mpi/byte_parts.h"

namespace tightwire::collective {
namespace {

class AllgatherRing {
 public:
  AllgatherRing(mpi::Communicator& communicator, const std::vector<GatheredBlock>& blocks,
                const OwnBlock& own, mpi::Health& health, Traffic& traffic)
      : communicator_(communicator),
        blocks_(blocks),
        own_(own),
        health_(health),
        traffic_(traffic),
        ranks_(static_cast<std::size_t>(communicator.size)),
        rank_(static_cast<std::size_t>(communicator.rank)),
        left_((communicator.rank + communicator.size - 1) % communicator.size),
        right_((communicator.rank + 1) % communicator.size),
        most_chunks_(chunks_of_longest()),
        encoder_(communicator, own.values, blocks[rank_].chunks, own.encoding, own.history),
        decoders_(decoders_of_all()),
        capacity_(largest_frame()),
        incoming_(make_slots(communicator, most_chunks_, capacity_)),
        outgoing_(make_slots(communicator, most_chunks_, capacity_)) {}

  Schedule<> run() {
    for (std::size_t chunk = 0; chunk < arriving(0).chunks; ++chunk) {
      incoming_[chunk].receive(left_, allgather_tag);
    }
    send_own();
    for (std::size_t step = 0; step + 1 < ranks_; ++step) {
      for (std::size_t chunk = 0; chunk < most_chunks_; ++chunk) {
        co_await pass_on(step, chunk);
      }
    }
    for (Slot& slot : outgoing_) {
      co_await slot.transferred();
    }
  }

 private:
  [[nodiscard]] std::size_t chunks_of_longest() const {
    std::size_t most = 0;
    for (const GatheredBlock& block : blocks_) most = std::max(most, block.chunks);
    return most;
  }

  // Buffers change between the directions, so all hold what the own encoding may need.
  [[nodiscard]] std::size_t largest_frame() const {
    std::size_t largest = blocks_[rank_].chunks > 0 ? encoder_.capacity() : 0;
    for (std::size_t owner = 0; owner < ranks_; ++owner) {
      if (blocks_[owner].chunks > 0) largest = std::max(largest, decoders_[owner].capacity());
    }
    return largest;
  }

  // By owner of the block.
  [[nodiscard]] std::vector<FrameDecoder> decoders_of_all() const {
    std::vector<FrameDecoder> all;
    all.reserve(ranks_);
    for (std::size_t owner = 0; owner < ranks_; ++owner) {
      const GatheredBlock& block = blocks_[owner];
      all.emplace_back(communicator_, static_cast<int>(owner), block.values, block.chunks);
    }
    return all;
  }

  // The owner of the block that arrives at a step.
  [[nodiscard]] std::size_t owner(std::size_t step) const {
    return (rank_ + ranks_ - step - 1) % ranks_;
  }
  [[nodiscard]] const GatheredBlock& arriving(std::size_t step) const {
    return blocks_[owner(step)];
  }

  [[nodiscard]] std::span<std::byte> part(const GatheredBlock& block, std::size_t chunk) const {
    return mpi::byte_part(block.values, block.chunks, chunk);
  }

  // No two frames of the call have the same.
  [[nodiscard]] std::uint32_t sequence(std::size_t block_owner, std::size_t chunk) const {
    return communicator_.sequence(block_owner * most_chunks_ + chunk);
  }

  void send_own() {
    const GatheredBlock& block = blocks_[rank_];
    for (std::size_t chunk = 0; chunk < block.chunks; ++chunk) {
      Slot& slot = outgoing_[chunk];
      const std::uint32_t place = sequence(rank_, chunk);
      const std::size_t size = encoder_.encode(chunk, place, slot.buffer());
      send(block, chunk, size);
      if (!own_.decode) continue;
      health_.note(encoder_.decode(slot.buffer().first(size), place, chunk, part(block, chunk)),
                   communicator_.rank, place);
    }
  }

  void send(const GatheredBlock& block, std::size_t chunk, std::size_t size) {
    outgoing_[chunk].send(size, right_, allgather_tag);
    traffic_.bytes_before += part(block, chunk).size();
    traffic_.bytes_after += size;
  }

  void decode(std::size_t block_owner, std::size_t chunk, std::span<const std::byte> frame) {
    const std::uint32_t place = sequence(block_owner, chunk);
    health_.note(decoders_[block_owner].decode(frame, place, chunk), left_, place);
  }

  Schedule<> pass_on(std::size_t step, std::size_t chunk) {
    const bool last = step + 2 == ranks_;
    Slot& slot = outgoing_[chunk];
    const bool arrives = chunk < arriving(step).chunks;
    std::size_t size = 0;
    if (arrives) {
      size = co_await incoming_[chunk].transferred();
      co_await slot.transferred();
      incoming_[chunk].swap_buffers(slot);
      if (size > capacity_) {
        const std::uint32_t place = sequence(owner(step), chunk);
        health_.note({wire::Problem::truncated, left_, place, {}});
        size = wire::write_failure(slot.buffer(), place, health_.origin(communicator_.rank));
      }
    }
    if (!last && chunk < arriving(step + 1).chunks) incoming_[chunk].receive(left_, allgather_tag);
    if (!arrives) co_return;
    if (!last) send(arriving(step), chunk, size);
    decode(owner(step), chunk, slot.buffer().first(size));
  }

  mpi::Communicator& communicator_;
  const std::vector<GatheredBlock>& blocks_;
  const OwnBlock& own_;
  mpi::Health& health_;
  Traffic& traffic_;
  std::size_t ranks_;
  std::size_t rank_;
  int left_;
  int right_;
  std::size_t most_chunks_;
  FrameEncoder encoder_;
  std::vector<FrameDecoder> decoders_;
  std::size_t capacity_;
  std::vector<Slot> incoming_;
  std::vector<Slot> outgoing_;
};

}  // namespace

Schedule<> ring_allgather(mpi::Communicator& communicator, const std::vector<GatheredBlock>& blocks,
                          const OwnBlock& own, mpi::Health& health, Traffic& traffic) {
  ++communicator.calls;
  AllgatherRing ring(communicator, blocks, own, health, traffic);
  co_await ring.run();
}

}  // namespace tightwire::collective
