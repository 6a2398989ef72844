// Prefix reductions along the chain of ranks, in chunks: rank r receives what ranks 0 to r-1 add up
// to, merges its own values and passes the sum on. While one chunk is merged, the one before
// travels.
#pragma once

#include <span>

#include "collective/reduce/frame_reducer.h"
#include "collective/transfer/slot.h"
#include "mpi/communicator/communicator.h"
#include "mpi/error.h"

namespace tightwire::collective {

struct ScanMessage {
  std::span<const std::byte> own;
  std::span<std::byte> result;  // may be the same memory
  std::size_t items = 0;
  std::size_t item_size = 0;
  std::size_t chunks = 1;
};

// `inclusive`: the result has this rank's own values in it (Scan); else it has not (Exscan), and
// rank 0's result is left as it is. Throws MpiError; failures of frames are noted in `health`.
Schedule<> chain_scan(mpi::Communicator& communicator, FrameReducer& reducer,
                      const ScanMessage& message, bool inclusive, mpi::Health& health,
                      Traffic& traffic);

}  // namespace tightwire::collective
