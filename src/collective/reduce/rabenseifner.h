// Allreduce by recursive halving, which leaves every rank with one segment of the result, and
// recursive doubling, which spreads the segments (Rabenseifner, "Optimization of collective
// reduction operations", ICCS 2004). As few bytes as a ring and 2 log2(ranks) steps instead of
// 2 (ranks - 1): for messages of medium size and for many ranks. A Reduce_scatter goes by the
// first half.
//
// Each segment's frames are combined at one rank at a time and then handed on as they are, so all
// ranks hold the same bits.
#pragma once

#include "collective/reduce/reduction_frames.h"

namespace tightwire::collective {

// The message has as many segments as the largest power of two of ranks. Throws MpiError; failures
// of frames are noted in `health`.
Schedule<> rabenseifner_allreduce(mpi::Communicator& communicator, FrameReducer& reducer,
                                  const ReductionMessage& message, mpi::Health& health,
                                  Traffic& traffic);

// The message has a segment for each rank, whose values its `result` gets. Else as above.
Schedule<> halving_reduce_scatter(mpi::Communicator& communicator, FrameReducer& reducer,
                                  const ReductionMessage& message, mpi::Health& health,
                                  Traffic& traffic);

}  // namespace tightwire::collective
