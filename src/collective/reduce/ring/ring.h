// Reductions over a ring of ranks: bandwidth-optimal reduce-scatter followed by allgather or gather
// (Patarasu and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC
// 2009), with frames in place of values.
//
// The items are cut into one segment per rank, each segment into chunks; a chunk travels as one
// frame. At step h a rank receives the frames of segment (rank - h - 1) mod ranks from its left
// neighbour. In the first ranks - 1 steps it merges its own values into them and passes them on;
// after that the frames hold the result, and are passed on as they are while they are decoded.
// While one chunk is on the wire the next is being coded.
//
// No deadlock: what a rank waits for at (step, chunk) are frames and free buffers of its
// neighbours' strictly earlier (step, chunk), so the order of waiting has no cycle.
#pragma once

#include "collective/reduce/reduction_frames.h"

namespace tightwire::collective {

// The message has one segment for each rank.
// Throws MpiError; failures of frames are noted in `health`.
Schedule<> ring_allreduce(mpi::Communicator& communicator, FrameReducer& reducer,
                          const ReductionMessage& message, mpi::Health& health, Traffic& traffic);
Schedule<> ring_reduce(mpi::Communicator& communicator, FrameReducer& reducer,
                       const ReductionMessage& message, int root, mpi::Health& health,
                       Traffic& traffic);
// `result` is this rank's segment alone.
Schedule<> ring_reduce_scatter(mpi::Communicator& communicator, FrameReducer& reducer,
                               const ReductionMessage& message, mpi::Health& health,
                               Traffic& traffic);

}  // namespace tightwire::collective
