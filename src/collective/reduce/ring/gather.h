// The root's side of the gather that ends a reduce over a ring: the result's segments, one from
// each of the others. One rank's frames are decoded while the next one's arrive.
#pragma once

#include <vector>

#include "collective/reduce/reduction_frames.h"

namespace tightwire::collective {

// Decodes the frames of a segment as they come into `arriving` from its owner, the rank of the
// segment's number; `received` is of their number.
[[nodiscard]] Schedule<> decode_segment_of(int source, ReductionFrames& frames,
                                           std::vector<Slot>& arriving,
                                           std::vector<std::size_t>& received);

class RingGather {
 public:
  // Of slots for a segment each; nothing is being received in them.
  RingGather(mpi::Communicator& communicator, ReductionFrames& frames, std::vector<Slot>& incoming,
             std::vector<Slot>& outgoing)
      : communicator_(communicator),
        frames_(frames),
        received_(frames.chunks()),
        arriving_(incoming),
        next_(outgoing) {}

  Schedule<> collect();

 private:
  mpi::Communicator& communicator_;
  ReductionFrames& frames_;
  std::vector<std::size_t> received_;
  std::vector<Slot>& arriving_;
  std::vector<Slot>& next_;
};

}  // namespace tightwire::collective
