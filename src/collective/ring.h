// Reductions over a ring of ranks: bandwidth-optimal reduce-scatter followed by allgather or gather
// (Patarasu and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC
// 2009), with frames in place of values.
//
// The items are cut into one segment per rank, each segment into chunks; a chunk travels as one
// frame. At hop h a rank receives the frames of segment (rank - h - 1) mod ranks from its left
// neighbour. In the first ranks - 1 hops it merges its own values into them and passes them on;
// after that the frames hold the result, and are passed on as they are while they are expanded.
// While one chunk is on the wire the next is being coded.
//
// No deadlock: what a rank waits for at (hop, chunk) are frames and free buffers of its neighbours'
// strictly earlier (hop, chunk), so the order of waiting has no cycle.
#pragma once

#include "collective/reduction_frames.h"

namespace tightwire::collective {

// The message has one segment for each rank.
// Throws MpiError; failures of frames are noted in `health`.
void ring_allreduce(Communicator& communicator, Hop& hop, const ReductionMessage& message,
                    Health& health, Traffic& traffic);
void ring_reduce(Communicator& communicator, Hop& hop, const ReductionMessage& message, int root,
                 Health& health, Traffic& traffic);
// `result` is this rank's segment alone.
void ring_reduce_scatter(Communicator& communicator, Hop& hop, const ReductionMessage& message,
                         Health& health, Traffic& traffic);

}  // namespace tightwire::collective
