#include "collective/reduce/ring.h"

#include <utility>
#include <vector>

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
        incoming_(make_slots(communicator, frames.chunks(), frames.capacity())),
        outgoing_(make_slots(communicator, frames.chunks(), frames.capacity())) {}

  Schedule<> allreduce() {
    const std::size_t steps = 2 * (ranks_ - 1);
    co_await begin();
    for (std::size_t step = 0; step < steps; ++step) {
      for (std::size_t chunk = 0; chunk < frames_.chunks(); ++chunk) {
        const bool last = step + 1 == steps;
        if (step + 2 < ranks_) {
          hand_on(step, chunk, co_await merge(step, chunk, true), right_);
        } else if (step + 2 == ranks_) {
          co_await complete(step, chunk, frames_.result(place(step, chunk)), true);
        } else {
          co_await pass_on(step, chunk, !last);
        }
      }
    }
    co_await drain();
  }

  // `result` holds this rank's segment alone.
  Schedule<> reduce_scatter() {
    co_await begin();
    for (std::size_t step = 0; step < ranks_ - 1; ++step) {
      for (std::size_t chunk = 0; chunk < frames_.chunks(); ++chunk) {
        if (step + 2 < ranks_) {
          hand_on(step, chunk, co_await merge(step, chunk, true), right_);
          continue;
        }
        co_await complete(step, chunk, frames_.result_in_segment(place(step, chunk)), false);
      }
    }
    co_await drain();
  }

  Schedule<> reduce(int root) {
    co_await begin();
    for (std::size_t step = 0; step < ranks_ - 1; ++step) {
      for (std::size_t chunk = 0; chunk < frames_.chunks(); ++chunk) {
        const bool last = step + 2 == ranks_;
        if (last && communicator_.rank == root) {
          co_await complete(step, chunk, frames_.result(place(step, chunk)), false);
        } else {
          const std::size_t size = co_await merge(step, chunk, !last);
          hand_on(step, chunk, size, last ? root : right_, last ? ring_gather_tag : ring_tag);
        }
      }
    }
    if (communicator_.rank == root) {
      co_await collect();
    }
    co_await drain();
  }

 private:
  // The segment whose frames arrive at this step.
  [[nodiscard]] ChunkPlace place(std::size_t step, std::size_t chunk) const {
    return {(rank_ + 2 * ranks_ - step - 2) % ranks_, chunk};
  }

  [[nodiscard]] HeldFrame outgoing(std::size_t chunk, std::size_t size) const {
    return {outgoing_[chunk].buffer().first(size), left_};
  }

  // Receives for the first step, and the first segment, the left neighbour's, on its way.
  Schedule<> begin() {
    const std::size_t first = (rank_ + ranks_ - 1) % ranks_;
    for (Slot& slot : incoming_) slot.receive(left_, ring_tag);
    for (std::size_t chunk = 0; chunk < frames_.chunks(); ++chunk) {
      const ChunkPlace own{first, chunk};
      if (Stage* stage = frames_.stage()) {
        co_await stage->contributed(own);
      }
      const std::size_t started = frames_.start(own, outgoing_[chunk]);
      const std::size_t size = frames_.remember(own, outgoing_[chunk], started, right_);
      frames_.send(own, outgoing_[chunk], size, right_, ring_tag);
      incoming_.front().poll();
    }
  }

  // Waits for the frame, merges this rank's values into it, and leaves the outcome in
  // outgoing_[chunk]. Returns its size.
  Schedule<std::size_t> merge(std::size_t step, std::size_t chunk, bool receive_more) {
    const std::size_t received = co_await incoming_[chunk].transferred();
    co_await outgoing_[chunk].transferred();
    if (Stage* stage = frames_.stage()) {
      co_await stage->contributed(place(step, chunk));
    }
    const std::size_t size =
        frames_.merge(place(step, chunk), incoming_[chunk], received, left_, outgoing_[chunk]);
    if (receive_more) incoming_[chunk].receive(left_, ring_tag);
    co_return size;
  }

  // The last merge: the values of the result go to `values`, the frame to the right if it is
  // wanted.
  Schedule<> complete(std::size_t step, std::size_t chunk, std::span<std::byte> values,
                      bool wanted) {
    if (!frames_.completes()) {
      const std::size_t size = co_await merge(step, chunk, wanted);
      if (wanted) send(step, chunk, size, right_);
      if (Stage* stage = frames_.stage()) {
        co_await stage->deliverable(place(step, chunk));
      }
      frames_.finish(place(step, chunk), outgoing(chunk, size), values);
      if (Stage* stage = frames_.stage()) {
        co_await stage->delivered(place(step, chunk));
      }
      co_return;
    }
    const std::size_t received = co_await incoming_[chunk].transferred();
    co_await outgoing_[chunk].transferred();
    const std::size_t size = frames_.complete(place(step, chunk), incoming_[chunk], received, left_,
                                              wanted ? &outgoing_[chunk] : nullptr, values);
    if (!wanted) co_return;
    incoming_[chunk].receive(left_, ring_tag);
    send(step, chunk, frames_.remember_for_all(place(step, chunk), outgoing_[chunk], size, values),
         right_);
  }

  // A frame of the result: on to the right, and decoded.
  Schedule<> pass_on(std::size_t step, std::size_t chunk, bool others_want_it) {
    std::size_t received = co_await incoming_[chunk].transferred();
    co_await outgoing_[chunk].transferred();
    incoming_[chunk].swap_buffers(outgoing_[chunk]);
    received = frames_.accept(place(step, chunk), outgoing_[chunk], received, left_);
    if (others_want_it) {
      incoming_[chunk].receive(left_, ring_tag);
      send(step, chunk, received, right_);
    }
    if (Stage* stage = frames_.stage()) {
      co_await stage->deliverable(place(step, chunk));
    }
    frames_.finish(place(step, chunk), outgoing(chunk, received));
    if (Stage* stage = frames_.stage()) {
      co_await stage->delivered(place(step, chunk));
    }
  }

  // What the next rank has seen the like of at earlier calls.
  void hand_on(std::size_t step, std::size_t chunk, std::size_t size, int destination,
               int tag = ring_tag) {
    const ChunkPlace here = place(step, chunk);
    send(step, chunk, frames_.remember(here, outgoing_[chunk], size, destination), destination,
         tag);
  }

  void send(std::size_t step, std::size_t chunk, std::size_t size, int destination,
            int tag = ring_tag) {
    frames_.send(place(step, chunk), outgoing_[chunk], size, destination, tag);
    outgoing_[chunk].poll();
  }

  // The root's side of the gather. One rank's frames are decoded while the next one's arrive.
  Schedule<> collect() {
    const int ranks = communicator_.size;
    const int root = communicator_.rank;
    const auto receive = [&](std::vector<Slot>& slots, int source) {
      for (Slot& slot : slots) slot.receive(source, ring_gather_tag);
    };
    for (Slot& slot : outgoing_) {
      co_await slot.transferred();
    }
    if (ranks > 1) receive(incoming_, (root + 1) % ranks);
    for (int step = 1; step < ranks; ++step) {
      if (step + 1 < ranks) receive(outgoing_, (root + step + 1) % ranks);
      co_await decode_all(incoming_, (root + step) % ranks);
      std::swap(incoming_, outgoing_);
    }
  }

  Schedule<> decode_all(std::vector<Slot>& slots, int source) {
    for (std::size_t chunk = 0; chunk < frames_.chunks(); ++chunk) {
      const ChunkPlace place{static_cast<std::size_t>(source), chunk};
      const std::size_t received = co_await slots[chunk].transferred();
      const std::size_t size = frames_.accept(place, slots[chunk], received, source);
      if (Stage* stage = frames_.stage()) {
        co_await stage->deliverable(place);
      }
      frames_.finish(place, {slots[chunk].buffer().first(size), source});
      if (Stage* stage = frames_.stage()) {
        co_await stage->delivered(place);
      }
    }
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
