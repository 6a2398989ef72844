#include "collective/reduce/ring/ring.h"

#include <vector>

#include "collective/reduce/ring/gather.h"
#include "collective/transfer/tags.h"

namespace tightwire::collective {
namespace {

class Ring {
 public:
  Ring(mpi::Communicator& communicator, ReductionFrames& frames)
      : communicator_(communicator),
        frames_(frames),
        ranks_(static_cast<std::size_t>(communicator.size)),
        rank_(static_cast<std::size_t>(communicator.rank)),
        left_((communicator.rank + communicator.size - 1) % communicator.size),
        right_((communicator.rank + 1) % communicator.size),
        received_(frames.chunks()),
        merged_sizes_(frames.chunks()),
        made_(frames.chunks()),
        incoming_(make_slots(communicator, frames.chunks(), frames.capacity())),
        outgoing_(make_slots(communicator, frames.chunks(), frames.capacity())) {}

  Schedule<> allreduce() {
    const std::size_t steps = 2 * (ranks_ - 1);
    co_await begin();
    for (std::size_t step = 0; step < steps; ++step) {
      for (PieceRange now; now.begin < frames_.chunks(); now.begin = now.end) {
        if (step + 2 > ranks_) {
          now = co_await pass_on(step, now.begin, step + 1 < steps);
          continue;
        }
        now = co_await ready(now.begin);
        if (step + 2 < ranks_) {
          co_await merge(step, now, true, right_, ring_tag);
        } else {
          co_await complete(step, now, Result::whole, true);
        }
      }
    }
    co_await drain();
  }

  // `result` holds this rank's segment alone.
  Schedule<> reduce_scatter() {
    co_await begin();
    for (std::size_t step = 0; step < ranks_ - 1; ++step) {
      for (PieceRange now; now.begin < frames_.chunks(); now.begin = now.end) {
        now = co_await ready(now.begin);
        if (step + 2 < ranks_) {
          co_await merge(step, now, true, right_, ring_tag);
        } else {
          co_await complete(step, now, Result::segment, false);
        }
      }
    }
    co_await drain();
  }

  Schedule<> reduce(int root) {
    co_await begin();
    for (std::size_t step = 0; step < ranks_ - 1; ++step) {
      for (PieceRange now; now.begin < frames_.chunks(); now.begin = now.end) {
        now = co_await ready(now.begin);
        const bool last = step + 2 == ranks_;
        if (last && communicator_.rank == root) {
          co_await complete(step, now, Result::whole, false);
        } else {
          co_await merge(step, now, !last, last ? root : right_, last ? ring_gather_tag : ring_tag);
        }
      }
    }
    if (communicator_.rank == root) {
      co_await RingGather(communicator_, frames_, incoming_, outgoing_).collect();
    }
    co_await drain();
  }

 private:
  [[nodiscard]] Stage* stage() const { return frames_.stage(); }

  // In the segment that this rank begins with.
  [[nodiscard]] ChunkPlace first_place(std::size_t chunk) const {
    return {(rank_ + ranks_ - 1) % ranks_, chunk};
  }
  // In the segment whose frames arrive at this step.
  [[nodiscard]] ChunkPlace place(std::size_t step, std::size_t chunk) const {
    return {(rank_ + 2 * ranks_ - step - 2) % ranks_, chunk};
  }

  [[nodiscard]] HeldFrame outgoing(std::size_t chunk, std::size_t size) const {
    return {outgoing_[chunk].buffer().first(size), left_};
  }

  // Receives for the first step, and the first segment, the left neighbour's, on its way.
  Schedule<> begin() {
    for (Slot& slot : incoming_) slot.receive(left_, ring_tag);
    if (stage() != nullptr) {
      co_await stage()->contributed(first_place(0));
    }
    start({0, frames_.chunks()});
  }

  void start(PieceRange now) {
    std::vector<std::size_t> sizes(frames_.chunks());
    together(
        now, frames_.chunk_bytes(),
        [&](std::size_t chunk) {
          sizes[chunk] = frames_.start(first_place(chunk), outgoing_[chunk]);
        },
        [&](std::size_t chunk) {
          Slot& slot = outgoing_[chunk];
          const ChunkPlace own = first_place(chunk);
          const std::size_t size = frames_.remember(own, slot, sizes[chunk], right_);
          frames_.send(own, slot, size, right_, ring_tag);
          incoming_.front().poll();
        });
  }

  // Waits until the chunk's frame has come and the one before it has left, and finds the next of
  // which that is true; taken(chunk) of each as it is found.
  template <class Taken>
  Schedule<PieceRange> ready(std::size_t chunk, Taken taken) {
    co_await outgoing_[chunk].transferred();
    co_return co_await arrived(
        incoming_, {chunk, frames_.chunks()}, frames_.chunk_bytes(), received_,
        [this](std::size_t next) { return outgoing_[next].test(); }, taken);
  }
  Schedule<PieceRange> ready(std::size_t chunk) {
    return ready(chunk, [](std::size_t) {});
  }

  // Merges this rank's values into the frames, and sends them on.
  Schedule<> merge(std::size_t step, PieceRange now, bool receive_more, int destination, int tag) {
    co_await contributed(step, now);
    merge_pieces(step, now, receive_more, [&](std::size_t chunk, std::size_t size) {
      hand_on(step, chunk, size, destination, tag);
    });
  }

  // handle(chunk, size), in order, of each frame, which is in outgoing_[chunk].
  template <class Handle>
  void merge_pieces(std::size_t step, PieceRange now, bool receive_more, Handle handle) {
    together(
        now, frames_.chunk_bytes(),
        [&](std::size_t chunk) {
          made_[chunk] = frames_.merge_anywhere(place(step, chunk), incoming_[chunk],
                                                received_[chunk], outgoing_[chunk]);
        },
        [&](std::size_t chunk) { handle(chunk, merged(step, chunk, receive_more, made_[chunk])); });
  }

  // Leaves the outcome in outgoing_[chunk] and returns its size.
  std::size_t merged(std::size_t step, std::size_t chunk, bool receive_more,
                     const ReductionFrames::Made& made) {
    const std::size_t size = frames_.merge(place(step, chunk), incoming_[chunk], received_[chunk],
                                           left_, outgoing_[chunk], made);
    if (receive_more) incoming_[chunk].receive(left_, ring_tag);
    return size;
  }

  // Where the values of a chunk go: the result is the whole message, or one segment.
  enum class Result : std::uint8_t { whole, segment };
  [[nodiscard]] std::span<std::byte> values(ChunkPlace chunk, Result result) const {
    return result == Result::whole ? frames_.result(chunk) : frames_.result_in_segment(chunk);
  }

  // The last merge: the values of the result go to their place, the frames to the right if they are
  // wanted.
  Schedule<> complete(std::size_t step, PieceRange now, Result result, bool wanted) {
    if (!frames_.completes()) {
      co_await complete_in_two(step, now, result, wanted);
      co_return;
    }
    const auto out = [&](std::size_t chunk) { return wanted ? &outgoing_[chunk] : nullptr; };
    together(
        now, frames_.chunk_bytes(),
        [&](std::size_t chunk) {
          const ChunkPlace here = place(step, chunk);
          made_[chunk] = frames_.complete_anywhere(here, incoming_[chunk], received_[chunk],
                                                   out(chunk), values(here, result));
        },
        [&](std::size_t chunk) {
          const ChunkPlace here = place(step, chunk);
          const std::span<std::byte> to = values(here, result);
          const std::size_t size = frames_.complete(here, incoming_[chunk], received_[chunk], left_,
                                                    out(chunk), to, made_[chunk]);
          if (!wanted) return;
          incoming_[chunk].receive(left_, ring_tag);
          send(step, chunk, frames_.remember_for_all(here, outgoing_[chunk], size, to), right_);
        });
  }

  Schedule<> complete_in_two(std::size_t step, PieceRange now, Result result, bool wanted) {
    co_await contributed(step, now);
    merge_pieces(step, now, wanted, [&](std::size_t chunk, std::size_t size) {
      merged_sizes_[chunk] = size;
      if (wanted) send(step, chunk, size, right_);
    });
    co_await frames_.deliver(
        now, [&](std::size_t chunk) { return place(step, chunk); },
        [&](std::size_t chunk) { return outgoing(chunk, merged_sizes_[chunk]); },
        [&](std::size_t chunk) { return values(place(step, chunk), result); });
  }

  // Frames of the result as they come: on to the right, and decoded.
  Schedule<PieceRange> pass_on(std::size_t step, std::size_t first, bool others_want_it) {
    const PieceRange now = co_await ready(first, [&](std::size_t chunk) {
      incoming_[chunk].swap_buffers(outgoing_[chunk]);
      received_[chunk] =
          frames_.accept(place(step, chunk), outgoing_[chunk], received_[chunk], left_);
      if (!others_want_it) return;
      incoming_[chunk].receive(left_, ring_tag);
      send(step, chunk, received_[chunk], right_);
    });
    co_await frames_.deliver(
        now, [&](std::size_t chunk) { return place(step, chunk); },
        [&](std::size_t chunk) { return outgoing(chunk, received_[chunk]); },
        [&](std::size_t chunk) { return values(place(step, chunk), Result::whole); });
    co_return now;
  }

  // What the pieces are merged with is there: in a ring over lanes, of the whole host.
  Schedule<> contributed(std::size_t step, PieceRange now) {
    if (stage() != nullptr) {
      co_await stage()->contributed(place(step, now.begin));
    }
  }

  // What the next rank has seen the like of at earlier calls.
  void hand_on(std::size_t step, std::size_t chunk, std::size_t size, int destination, int tag) {
    const ChunkPlace here = place(step, chunk);
    send(step, chunk, frames_.remember(here, outgoing_[chunk], size, destination), destination,
         tag);
  }

  void send(std::size_t step, std::size_t chunk, std::size_t size, int destination,
            int tag = ring_tag) {
    frames_.send(place(step, chunk), outgoing_[chunk], size, destination, tag);
    outgoing_[chunk].poll();
  }

  Schedule<> drain() {
    for (Slot& slot : outgoing_) {
      co_await slot.transferred();
    }
  }

  mpi::Communicator& communicator_;
  ReductionFrames& frames_;
  std::size_t ranks_;
  std::size_t rank_;
  int left_;
  int right_;
  std::vector<std::size_t> received_;  // by chunk: the size of the frame that has come
  std::vector<std::size_t> merged_sizes_;
  std::vector<ReductionFrames::Made> made_;
  std::vector<Slot> incoming_;
  std::vector<Slot> outgoing_;
};

}  // namespace

Schedule<> ring_allreduce(mpi::Communicator& communicator, FrameReducer& reducer,
                          const ReductionMessage& message, mpi::Health& health, Traffic& traffic) {
  ReductionFrames frames(communicator, reducer, message, health, traffic);
  Ring ring(communicator, frames);
  co_await ring.allreduce();
}

Schedule<> ring_reduce(mpi::Communicator& communicator, FrameReducer& reducer,
                       const ReductionMessage& message, int root, mpi::Health& health,
                       Traffic& traffic) {
  ReductionFrames frames(communicator, reducer, message, health, traffic);
  Ring ring(communicator, frames);
  co_await ring.reduce(root);
}

Schedule<> ring_reduce_scatter(mpi::Communicator& communicator, FrameReducer& reducer,
                               const ReductionMessage& message, mpi::Health& health,
                               Traffic& traffic) {
  ReductionFrames frames(communicator, reducer, message, health, traffic);
  Ring ring(communicator, frames);
  co_await ring.reduce_scatter();
}

}  // namespace tightwire::collective
