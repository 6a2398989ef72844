// Calls with buffers on a device, under an MPI that cannot reach there: the call is carried out on
// an image of the buffer on the host, by the way that it always goes. Each rank stages for itself;
// nobody else can tell. generate.py puts this in front of all else (staged.py).
#pragma once

#include <atomic>

namespace tightwire::staging {

namespace detail {
inline std::atomic<bool> active{false};
}
// Whether this process may come to have memory of a device that is to be staged, between MPI_Init
// and MPI_Finalize; costs one relaxed load.
[[nodiscard]] inline bool active() {
  return detail::active.load(std::memory_order_relaxed);
}

// Once MPI and the settings are there, and before MPI goes down.
void start();
void finish();

// Whether messages between two ranks go to MPI as they are: it reaches devices itself, and faster.
[[nodiscard]] bool messages_are_left_to_mpi();

}  // namespace tightwire::staging
