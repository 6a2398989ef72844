// Counts what the program sends by calls that are left to MPI, where a report is to say so:
// messages between two ranks that no frame is made for, and one-sided calls. What collectives and
// frames are made of is counted where that is decided. generate.py puts these calls around MPI's.
//
// Thread safe; throws nothing. What MPI would refuse is left out.
#pragma once

#include <mpi.h>

#include <atomic>

#include "mpi/buffer.h"
#include "mpi/counts.h"

namespace tightwire::census {

namespace detail {
inline std::atomic<bool> active{false};
}
// Between MPI_Init and MPI_Finalize, if there is a report; costs one relaxed load.
[[nodiscard]] inline bool active() {
  return detail::active.load(std::memory_order_relaxed);
}

// Around what is counted, after p2p::start().
void start();
void finish();

// A message to rank `destination`.
void message(const mpi::Buffer& values, int destination, MPI_Comm comm) noexcept;

// A persistent send that was made, another request that was, by a handle that may have been one's,
// and those that start.
void prepared(const mpi::Buffer& values, int destination, MPI_Comm comm,
              MPI_Request request) noexcept;
void forget(MPI_Request request) noexcept;
void started(int count, const MPI_Request* requests) noexcept;

// Put, get, accumulate and their relatives.
void one_sided(mpi::Count count, MPI_Datatype datatype) noexcept;

}  // namespace tightwire::census
