#include "collective/reduce/ring/gather.h"

#include <utility>

#include "collective/transfer/tags.h"

namespace tightwire::collective {

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
    co_await decode_all((root + step) % ranks);
    std::swap(arriving_, next_);
  }
}

Schedule<> RingGather::decode_all(int source) {
  const auto place = [&](std::size_t chunk) {
    return ChunkPlace{static_cast<std::size_t>(source), chunk};
  };
  for (PieceRange now; now.begin < frames_.chunks(); now.begin = now.end) {
    now = co_await arrived(arriving_, frames_.pieces_from(now.begin), received_);
    for (std::size_t chunk = now.begin; chunk < now.end; ++chunk) {
      received_[chunk] = frames_.accept(place(chunk), arriving_[chunk], received_[chunk], source);
    }
    if (Stage* stage = frames_.stage()) {
      co_await stage->deliverable(place(now.begin));
    }
    frames_.finish(now, place, [&](std::size_t chunk) {
      return HeldFrame{arriving_[chunk].buffer().first(received_[chunk]), source};
    });
    if (Stage* stage = frames_.stage()) {
      co_await stage->delivered(place(now.begin));
    }
  }
}

}  // namespace tightwire::collective
