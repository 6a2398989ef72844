// Whom a rank sends blocks to and receives some from, step by step.
#pragma once

#include <mpi.h>

#include <vector>

#include "collective/plan/blocks.h"
#include "mpi/buffer.h"
#include "mpi/communicator/communicator.h"

namespace tightwire::collective {

// Which buffer a rank sends to and receives from a partner. Buffers of no bytes are no messages, as
// both sides know.
struct Partners {
  int send_to = MPI_PROC_NULL;
  mpi::Buffer send;
  int receive_from = MPI_PROC_NULL;
  mpi::Buffer receive;
  int place = 0;  // how many steps before have the same partner in the same direction
};

// A Gather or a Scatter.
struct RootedMessage {
  const mpi::Buffer& own;  // at the root it may be in place
  const Blocks& all;       // at the root
  int root;
  bool to_root;
};

// At each step the root serves one of the others.
[[nodiscard]] std::vector<Partners> partners_of_root(const RootedMessage& message,
                                                     const mpi::Communicator& communicator);

// Of all with all: at step s with the ranks s further and s before. `from` has Blocks' of().
template <class From>
[[nodiscard]] std::vector<Partners> partners_of_all(const From& from, const Blocks& to,
                                                    const mpi::Communicator& communicator) {
  std::vector<Partners> steps;
  for (int step = 1; step < communicator.size; ++step) {
    const int next = (communicator.rank + step) % communicator.size;
    const int previous = (communicator.rank + communicator.size - step) % communicator.size;
    steps.push_back({next, from.of(next), previous, to.of(previous)});
  }
  return steps;
}

// After an exchange: what could not be copied from a device the others have been told of. Throws
// MpiError.
void check_sent(const std::vector<Partners>& steps);

}  // namespace tightwire::collective
