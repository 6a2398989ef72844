// Writes what the program sends to a recording, where the settings ask for one: before anything is
// made of it, by whatever way it goes. generate.py puts these calls in front of MPI's.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <vector>

#include "collective/plan/blocks.h"
#include "mpi/buffer.h"
#include "mpi/counts.h"
#include "recording/format.h"

namespace tightwire::recorder {

namespace detail {
inline std::atomic<bool> active{false};
}
// Between MPI_Init and MPI_Finalize, if there is a recording; costs one relaxed load.
[[nodiscard]] inline bool active() {
  return detail::active.load(std::memory_order_relaxed);
}

// Right after the runtime is up. A recording that cannot be written ends the job.
void start();
void finish();

// Where a message goes, as the program says it.
struct Call {
  const char* function;
  MPI_Comm comm;
  int peer = recording::nobody;
  int tag = recording::no_tag;
};

// The rest is thread safe and throws nothing. What MPI would refuse, what is in place and what
// lies in a device's memory is left out; what cannot be recorded ends the recording, with a line.

void message(const Call& call, const mpi::Buffer& values) noexcept;
// One message for each rank, or for each neighbour.
void parts(const Call& call, const collective::Blocks& blocks) noexcept;
void neighbours(const Call& call, const collective::Blocks& blocks) noexcept;

// A persistent send that was made, and one that starts.
void prepared(const Call& call, const mpi::Buffer& values, MPI_Request request) noexcept;
void started(MPI_Request request) noexcept;
void started(int count, const MPI_Request* requests) noexcept;

// What is asked of MPI for the above; 0 and false where it complains, and of intercommunicators.
[[nodiscard]] int ranks(MPI_Comm comm) noexcept;
[[nodiscard]] bool is_rank(int rank, MPI_Comm comm) noexcept;
[[nodiscard]] mpi::Count sum(mpi::Counts counts, MPI_Comm comm) noexcept;

// The ranks that a call has a block for: all, or this one's neighbours. None where ranks() is 0.
// Throw MpiError and std::bad_alloc.
[[nodiscard]] std::vector<int> all_ranks(MPI_Comm comm);
[[nodiscard]] std::vector<int> destinations(MPI_Comm comm);

// Each block that goes to somebody: visit(call, values).
template <class Visit>
void visit_blocks(const Call& call, const collective::Blocks& blocks, const std::vector<int>& peers,
                  Visit&& visit) {
  if (!blocks.valid(static_cast<int>(peers.size()))) return;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    Call one = call;
    one.peer = peers[i];
    if (one.peer != MPI_PROC_NULL) visit(one, blocks.of(static_cast<int>(i)));
  }
}

}  // namespace tightwire::recorder
