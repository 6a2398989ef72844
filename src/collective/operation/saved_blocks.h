// What a rank has for the others in an all-to-all. In place it lies where their blocks will be
// received: then copies of it are sent.
#pragma once

#include <vector>

#include "collective/plan/blocks.h"
#include "mpi/buffer_pool.h"
#include "mpi/communicator/communicator.h"

namespace tightwire::collective {

class SavedBlocks {
 public:
  // Both outlive it. Throws MpiError.
  SavedBlocks(const Blocks& from, const Blocks& to, mpi::Communicator& communicator);
  // When a call was given up MPI may still read the copies.
  ~SavedBlocks();
  SavedBlocks(const SavedBlocks&) = delete;
  SavedBlocks& operator=(const SavedBlocks&) = delete;

  // Of another rank.
  [[nodiscard]] mpi::Buffer of(int rank) const {
    return from_.in_place() ? saved_[static_cast<std::size_t>(rank)] : from_.of(rank);
  }

 private:
  const Blocks& from_;
  mpi::BufferPool::Lease memory_;
  std::vector<mpi::Buffer> saved_;
};

}  // namespace tightwire::collective
