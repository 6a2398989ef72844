// What MPI would be asked on the way of a message to MPI, and must not while the program expects
// others (expected_bytes.h): it is put off until the program lets MPI move on itself.
#pragma once

#include <atomic>

#include "p2p/state/expected_bytes.h"

namespace tightwire::p2p {

namespace detail {
inline std::atomic<unsigned> put_off{0};
}

[[nodiscard]] inline bool is_anything_put_off() {
  return detail::put_off.load(std::memory_order_relaxed) != 0;
}

inline void nothing_is_put_off() {
  detail::put_off.store(0, std::memory_order_relaxed);
}

// Whether MPI may be asked now. Else it is put off: not for ever, since some programs wait for
// nothing of ours. A message asks up to three times, and a halo in three dimensions has 26.
[[nodiscard]] inline bool may_ask_mpi() {
  constexpr unsigned most = 256;
  if (expected_bytes() == 0) return true;
  return detail::put_off.fetch_add(1, std::memory_order_relaxed) >= most;
}

}  // namespace tightwire::p2p
