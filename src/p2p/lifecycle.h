// When messages between two processes may be frames: from MPI_Init to MPI_Finalize.
#pragma once

#include <atomic>

namespace tightwire::p2p {

namespace detail {
inline std::atomic<bool> is_active{false};
}

// Whether any message of this process may be a frame; costs one relaxed load.
[[nodiscard]] inline bool active() {
  return detail::is_active.load(std::memory_order_relaxed);
}

// Collective over MPI_COMM_WORLD, after runtime::start().
void start();
// Before the runtime goes down: waits until all messages have left.
void finish();

}  // namespace tightwire::p2p
