#include "collective/move/ring_allgather.h"

#include <algorithm>
#include <cstring>

#include "collective/history/frame_decoder.h"
#include "collective/history/frame_encoder.h"
#include "collective/transfer/tags.h"
#include "collective/transfer/together.h"
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
        encoder_(communicator, own.values, blocks[rank_].chunks, own.encoding, own.history,
                 own.on_device),
        decoders_(decoders_of_all()),
        capacity_(largest_frame()),
        sizes_(most_chunks_),
        unpacked_(most_chunks_),
        incoming_(make_slots(communicator, most_chunks_, capacity_)),
        outgoing_(make_slots(communicator, most_chunks_, capacity_)) {}

  Schedule<> run() {
    for (std::size_t chunk = 0; chunk < arriving(0).chunks; ++chunk) {
      incoming_[chunk].receive(left_, allgather_tag);
    }
    send_own();
    if (!own_.decode) gather_own();
    for (std::size_t step = 0; step + 1 < ranks_; ++step) {
      for (PieceRange now; now.begin < most_chunks_; now.begin = now.end) {
        now = co_await take(step, now.begin);
        if (now.size() > 0) decode(step, now);
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
      all.back().decode_on(own_.gathered_on);
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

  [[nodiscard]] static std::size_t bytes_of_chunk(const GatheredBlock& block) {
    return mpi::longest_byte_part(block.values.size(), block.chunks);
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
    const bool at_once = encoder_.is_for_several_threads();
    for (PieceRange now; now.begin < block.chunks; now.begin = now.end) {
      now.end = at_once ? block.chunks : now.begin + 1;
      together(
          now, bytes_of_chunk(block),
          [&](std::size_t chunk) {
            sizes_[chunk] =
                encoder_.encode(chunk, sequence(rank_, chunk), outgoing_[chunk].buffer());
          },
          [&](std::size_t chunk) {
            encoder_.encoded(chunk, sizes_[chunk]);
            send(block, chunk, sizes_[chunk]);
          });
      if (own_.decode) decode_own(now);
    }
  }

  // Once its frames have left.
  void gather_own() {
    const std::span<std::byte> block = blocks_[rank_].values;
    if (own_.values.data() == block.data() || block.empty()) return;
    std::memmove(block.data(), own_.values.data(), block.size());
  }

  void decode_own(PieceRange now) {
    const GatheredBlock& block = blocks_[rank_];
    together(
        now, bytes_of_chunk(block),
        [&](std::size_t chunk) {
          const auto frame = outgoing_[chunk].buffer().first(sizes_[chunk]);
          const std::uint32_t place = sequence(rank_, chunk);
          unpacked_[chunk] = own_.gathered_on != nullptr
                                 ? decoders_[rank_].decode(frame, place, chunk)
                                 : encoder_.decode(frame, place, chunk, part(block, chunk));
        },
        [&](std::size_t chunk) {
          health_.note(unpacked_[chunk], communicator_.rank, sequence(rank_, chunk));
        });
  }

  void send(const GatheredBlock& block, std::size_t chunk, std::size_t size) {
    outgoing_[chunk].send(size, right_, allgather_tag);
    traffic_.bytes_before += part(block, chunk).size();
    traffic_.bytes_after += size;
  }

  // Takes the chunk that arrives, if there is one, and the next that are here; hands them on.
  Schedule<PieceRange> take(std::size_t step, std::size_t chunk) {
    const std::size_t chunks = arriving(step).chunks;
    if (chunk >= chunks) {
      for (std::size_t rest = chunk; rest < most_chunks_; ++rest) receive_next(step, rest);
      co_return PieceRange{most_chunks_, most_chunks_};
    }
    const PieceRange left{chunk, chunks};
    co_await outgoing_[chunk].transferred();
    co_return co_await arrived(
        incoming_, left, bytes_of_chunk(arriving(step)), sizes_,
        [this](std::size_t next) { return outgoing_[next].test(); },
        [&](std::size_t next) { pass_on(step, next); });
  }

  void pass_on(std::size_t step, std::size_t chunk) {
    Slot& slot = outgoing_[chunk];
    incoming_[chunk].swap_buffers(slot);
    if (sizes_[chunk] > capacity_) {
      const std::uint32_t place = sequence(owner(step), chunk);
      health_.note({wire::Problem::truncated, left_, place, {}});
      sizes_[chunk] = wire::write_failure(slot.buffer(), place, health_.origin(communicator_.rank));
    }
    receive_next(step, chunk);
    if (step + 2 < ranks_) send(arriving(step), chunk, sizes_[chunk]);
    decoders_[owner(step)].expect(slot.buffer().first(sizes_[chunk]));
  }

  void receive_next(std::size_t step, std::size_t chunk) {
    if (step + 2 < ranks_ && chunk < arriving(step + 1).chunks) {
      incoming_[chunk].receive(left_, allgather_tag);
    }
  }

  void decode(std::size_t step, PieceRange now) {
    FrameDecoder& decoder = decoders_[owner(step)];
    together(
        now, bytes_of_chunk(arriving(step)),
        [&](std::size_t chunk) {
          unpacked_[chunk] = decoder.decode(outgoing_[chunk].buffer().first(sizes_[chunk]),
                                            sequence(owner(step), chunk), chunk);
        },
        [&](std::size_t chunk) {
          decoder.decoded(chunk, unpacked_[chunk]);
          health_.note(unpacked_[chunk], left_, sequence(owner(step), chunk));
        });
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
  // By chunk: of the frame that is passed on, and what comes out of it.
  std::vector<std::size_t> sizes_;
  std::vector<wire::Unpacked> unpacked_;
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
