// Reduce over a binomial tree: each rank merges what its subtrees send and passes it on to its
// parent. log2(ranks) steps of the whole message: for messages so short that latency is what
// counts.
#pragma once

#include "collective/reduction_frames.h"

namespace tightwire::collective {

// The message has one segment. Throws MpiError; failures of frames are noted in `health`.
void tree_reduce(Communicator& communicator, Hop& hop, const ReductionMessage& message, int root,
                 Health& health, Traffic& traffic);

}  // namespace tightwire::collective
