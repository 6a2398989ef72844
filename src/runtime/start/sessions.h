// Sessions of MPI 4. Their communicators live before MPI_Init and beyond MPI_Finalize, where no
// rank looks at frames.
#pragma once

#include <atomic>

namespace tightwire::runtime {

namespace detail {
inline std::atomic<int> open_sessions{0};
}

// Of this process, that the program has open.
[[nodiscard]] inline std::atomic<int>& open_sessions() {
  return detail::open_sessions;
}

// Whether any rank has one. Collective over MPI_COMM_WORLD.
[[nodiscard]] bool any_rank_has_session();

}  // namespace tightwire::runtime
