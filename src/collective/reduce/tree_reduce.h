// Reduce over a binomial tree: each rank merges what its subtrees send and passes it on to its
// parent. log2(ranks) steps of the whole message: for messages so short that latency is what
// counts.
#pragma once

#include "collective/reduce/reduction_frames.h"

namespace tightwire::collective {

// The message has one segment. Throws MpiError; failures of frames are noted in `health`.
Schedule<> tree_reduce(mpi::Communicator& communicator, FrameReducer& reducer,
                       const ReductionMessage& message, int root, mpi::Health& health,
                       Traffic& traffic);

}  // namespace tightwire::collective
