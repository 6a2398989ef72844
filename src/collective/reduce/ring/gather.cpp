#include "collective/reduce/ring/gather.h"

#include <utility>

#include "collective/transfer/tags.h"

namespace tightwire::collective {

Schedule<> decode_segment_of(int source, ReductionFrames& frames, std::vector<Slot>& arriving,
                             std::vector<std::size_t>& received) {
  const auto place = [&](std::size_t chunk) {
    return ChunkPlace{static_cast<std::size_t>(source), chunk};
  };
  for (PieceRange now; now.begin < frames.chunks(); now.begin = now.end) {
    now = co_await arrived(arriving, {now.begin, frames.chunks()}, frames.chunk_bytes(), received);
    for (std::size_t chunk = now.begin; chunk < now.end; ++chunk) {
      received[chunk] = frames.accept(place(chunk), arriving[chunk], received[chunk], source);
    }
    co_await frames.deliver(
        now, place,
        [&](std::size_t chunk) {
          return HeldFrame{arriving[chunk].buffer().first(received[chunk]), source};
        },
        [&](std::size_t chunk) { return frames.result(place(chunk)); });
  }
}

Schedule<> RingGather::collect() {
  const int ranks = communicator_.size;
  const int root = communicator_.rank;
  const auto receive = [](std::vector<Slot>& slots, int source) {
    for (Slot& slot : slots) slot.receive(source, ring_gather_tag);
  };
  for (Slot& slot : next_) {
    co_await slot.transferred();
  }
  if (ranks > 1) receive(arriving_, (root + 1) % ranks);
  for (int step = 1; step < ranks; ++step) {
    if (step + 1 < ranks) receive(next_, (root + step + 1) % ranks);
    co_await decode_segment_of((root + step) % ranks, frames_, arriving_, received_);
    std::swap(arriving_, next_);
  }
}

}  // namespace tightwire::collective
