#include "collective/multilane/host_stage.h"

#include <algorithm>
#include <cstring>

#include "collective/reduce/ring/gather.h"
#include "collective/reduce/ring/ring.h"
#include "collective/transfer/tags.h"

namespace tightwire::collective {

// The reducer of the ring inside a host: it leaves frames behind, not values.
class HostStage::Collect final : public FrameReducer {
 public:
  explicit Collect(HostStage& stage) : stage_(stage) {}

  std::size_t max_frame_size(std::size_t value_bytes) const override {
    return stage_.reducer_.max_frame_size(value_bytes);
  }
  std::size_t start(std::span<const std::byte> own, std::uint32_t sequence,
                    std::span<std::byte> frame) override {
    return stage_.reducer_.start(own, sequence, frame);
  }
  Merged merge(std::span<const std::byte> incoming, std::span<const std::byte> own,
               std::uint32_t sequence, std::span<std::byte> frame) override {
    return stage_.reducer_.merge(incoming, own, sequence, frame);
  }
  Combined combine(std::span<const std::byte> first, std::span<const std::byte> second,
                   std::size_t value_bytes, std::uint32_t sequence,
                   std::span<std::byte> frame) override {
    return stage_.reducer_.combine(first, second, value_bytes, sequence, frame);
  }
  bool merges_anywhere() const override { return stage_.reducer_.merges_anywhere(); }
  wire::Unpacked finish(std::span<const std::byte> frame, std::uint32_t sequence,
                        std::span<std::byte>) override {
    stage_.keep_in(stage_.contributions_[stage_.place_of(sequence).chunk], frame);
    return {};
  }

 private:
  HostStage& stage_;
};

HostStage::HostStage(mpi::NodeLanes& lanes, FrameReducer& reducer, const LaneMessage& message,
                     mpi::Health& health)
    : lanes_(lanes),
      reducer_(reducer),
      message_(message),
      health_(health),
      segments_(message.slices.size()),
      contributed_(segments_),
      received_(message.chunks) {
  const std::size_t chunk = mpi::longest_part(longest_slice(message.slices), message.chunks);
  const std::size_t capacity = reducer.max_frame_size(chunk * message.item_size);
  contributions_ = make_kept(capacity);
  results_ = make_kept(capacity);
  incoming_ = make_slots(lanes.inside, message.chunks, capacity);
}

std::vector<HostStage::Kept> HostStage::make_kept(std::size_t capacity) {
  std::vector<Kept> kept;
  kept.reserve(message_.chunks);
  for (std::size_t i = 0; i < message_.chunks; ++i) {
    kept.push_back({Slot(lanes_.inside, capacity), 0});
  }
  return kept;
}

void HostStage::keep_in(Kept& kept, std::span<const std::byte> frame) {
  std::memcpy(kept.slot.buffer().data(), frame.data(), frame.size());
  kept.size = frame.size();
}

ChunkPlace HostStage::place_of(std::uint32_t sequence) const {
  const std::size_t place = wire::place_in_call(sequence);
  return {place / message_.chunks % segments_, place % message_.chunks};
}

// Frames are numbered by lane, segment, chunk: alike inside the host and on the lane.
ReductionMessage HostStage::of_host(std::size_t segment) const {
  return {message_.own,
          message_.result,
          message_.item_size,
          message_.slices[segment],
          message_.chunks,
          segment * message_.chunks,
          segments_ * message_.chunks};
}

ReductionMessage HostStage::of_lane() const {
  const auto local = static_cast<std::size_t>(lanes_.local);
  ReductionMessage lane{message_.own,
                        message_.result,
                        message_.item_size,
                        {},
                        message_.chunks,
                        local * segments_ * message_.chunks,
                        0};
  for (const std::vector<mpi::Part>& segment : message_.slices) {
    lane.segments.push_back(segment[local]);
  }
  return lane;
}

Schedule<> HostStage::contribute(std::size_t segment) {
  if (contributed_ == segment) co_return;
  Collect collect(*this);
  ReductionMessage message = of_host(segment);
  message.result = {};  // frames are kept
  co_await ring_reduce_scatter(lanes_.inside, collect, message, health_, inside_);
  contributed_ = segment;
}

std::span<const std::byte> HostStage::frame_in(const Kept& kept) {
  return kept.slot.buffer().first(kept.size);
}

std::span<const std::byte> HostStage::contribution(std::size_t chunk) const {
  return frame_in(contributions_[chunk]);
}

Schedule<> HostStage::drain() {
  for (Kept& kept : results_) {
    co_await kept.slot.transferred();
  }
}

void HostStage::keep(std::size_t chunk, std::span<const std::byte> frame) {
  keep_in(results_[chunk], frame);
}

Schedule<> HostStage::spread(std::size_t segment) {
  const ReductionMessage message = of_host(segment);
  ReductionFrames frames(lanes_.inside, reducer_, message, health_, inside_);
  const int ranks = lanes_.locals();
  const int left = (lanes_.local + ranks - 1) % ranks;
  const int right = (lanes_.local + 1) % ranks;
  const auto owner = [&](int step) { return (lanes_.local + ranks - step) % ranks; };
  // At step k the slice of the rank k places to the left arrives. Step 0: the own one.
  for (int step = 0; step < ranks; ++step) {
    const auto place = [&](std::size_t chunk) {
      return ChunkPlace{static_cast<std::size_t>(owner(step)), chunk};
    };
    const bool here = !empty(segment, owner(step));
    const bool arrives = here && step > 0;
    const bool last = step + 1 == ranks;
    const bool more = !last && !empty(segment, owner(step + 1));
    const auto hand_on = [&](std::size_t chunk) {
      Kept& kept = results_[chunk];
      if (arrives) {
        incoming_[chunk].swap_buffers(kept.slot);
        kept.size = frames.accept(place(chunk), kept.slot, received_[chunk], left);
      }
      if (more) incoming_[chunk].receive(left, host_spread_tag);
      if (here && !last) frames.send(place(chunk), kept.slot, kept.size, right, host_spread_tag);
    };
    for (std::size_t chunk = 0; !arrives && chunk < message_.chunks; ++chunk) hand_on(chunk);
    for (PieceRange now; arrives && now.begin < message_.chunks; now.begin = now.end) {
      co_await results_[now.begin].slot.transferred();
      now = co_await arrived(
          incoming_, {now.begin, message_.chunks}, frames.chunk_bytes(), received_,
          [&](std::size_t next) { return results_[next].slot.test(); }, hand_on);
      frames.finish(now, place, [&](std::size_t chunk) {
        return HeldFrame{frame_in(results_[chunk]), left};
      });
    }
  }
}

Schedule<> HostStage::gather(std::size_t segment, int root_local) {
  const ReductionMessage message = of_host(segment);
  ReductionFrames frames(lanes_.inside, reducer_, message, health_, inside_);
  if (lanes_.local != root_local) {
    for (std::size_t chunk = 0; chunk < message_.chunks && !empty(segment, lanes_.local); ++chunk) {
      Kept& kept = results_[chunk];
      frames.send({static_cast<std::size_t>(lanes_.local), chunk}, kept.slot, kept.size, root_local,
                  host_gather_tag);
    }
    co_return;
  }
  for (int local = 0; local < lanes_.locals(); ++local) {
    if (local == root_local || empty(segment, local)) continue;
    for (Slot& slot : incoming_) slot.receive(local, host_gather_tag);
    co_await decode_segment_of(local, frames, incoming_, received_);
  }
}

}  // namespace tightwire::collective
