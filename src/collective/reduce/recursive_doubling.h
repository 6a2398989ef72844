// Allreduce by recursive doubling: at each of log2(ranks) steps pairs of ranks exchange all they
// have, over twice the distance (Thakur, Rabenseifner and Gropp, IJHPCA 2005, section 4.5). The
// fewest steps, but the whole message at each: for messages so short that latency is what counts.
//
// After step k, groups of 2^k ranks hold the same frames, bit for bit: both of a pair combine the
// same two frames in the same order, the lower rank's first. So all ranks hold the same bits for
// every codec and operation, also those that round.
#pragma once

#include "collective/reduce/reduction_frames.h"

namespace tightwire::collective {

// The message has one segment. Throws MpiError; failures of frames are noted in `health`.
Schedule<> recursive_doubling_allreduce(mpi::Communicator& communicator, FrameReducer& reducer,
                                        const ReductionMessage& message, mpi::Health& health,
                                        Traffic& traffic);

}  // namespace tightwire::collective
