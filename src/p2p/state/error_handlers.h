// The error handlers of the program's communicators, where it matters which of them MPI calls.
#pragma once

#include <mpi.h>

#include <atomic>

namespace tightwire::p2p {

// The standard (MPI 4.0, section 9.3) has a failed request call the handler of its communicator.
// MPICH calls that of MPI_COMM_WORLD, but for persistent requests which are waited for or tested
// alone, and where a call waits for its message itself.
#ifdef MPICH
inline constexpr bool requests_fail_on_world = true;
#else
inline constexpr bool requests_fail_on_world = false;
#endif

namespace detail {
inline std::atomic<bool> has_error_handlers{false};
}  // namespace detail

// The program gives a communicator one.
inline void note_error_handler() {
  detail::has_error_handlers = true;
}

// Whether it makes a difference for the program whether a failure is that of a request: as long as
// it has given no communicator another handler, any failure ends the job.
[[nodiscard]] inline bool requests_fail_elsewhere() {
  return requests_fail_on_world && detail::has_error_handlers.load(std::memory_order_relaxed);
}

}  // namespace tightwire::p2p
