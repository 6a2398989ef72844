// Calls in which one rank has blocks for all: Gather and Scatter, and their v-forms.
#pragma once

#include "collective/plan/blocks.h"
#include "mpi/buffer.h"
#include "mpi/communicator/communicator.h"

namespace tightwire::collective {

// What stands at each rank's side of such a call: its own block, which at the root may be in place,
// and at the root alone the blocks of all.
class Rooted {
 public:
  Rooted(const mpi::Buffer& own, MPI_Comm comm, int root)
      : own_(own), place_(mpi::place_in(comm, root)), in_place_(place_.is_root && own.in_place()) {}

  [[nodiscard]] bool is_root() const { return place_.is_root; }
  [[nodiscard]] int ranks() const { return place_.size; }

  // Of the own block; at a root that has it in place, its arguments mean nothing.
  [[nodiscard]] std::size_t own_bytes() const { return in_place_ ? 0 : own_.bytes(); }
  // Of one rank's block, where all are as large.
  [[nodiscard]] std::size_t block_bytes(const mpi::Buffer& block) const {
    return is_root() ? block.bytes() : own_.bytes();
  }

  // Those of all, or nothing where their arguments mean nothing.
  [[nodiscard]] Blocks blocks(const Blocks& of_all) const {
    return is_root() ? of_all.numbered(static_cast<std::size_t>(ranks())) : Blocks(mpi::Buffer{});
  }

  // Whether MPI can be expected to take these arguments. `blocks`: whether those of the blocks are
  // good.
  [[nodiscard]] bool valid(bool blocks) const {
    return place_.valid && (in_place_ || own_.valid()) && (!is_root() || blocks);
  }

 private:
  const mpi::Buffer& own_;
  mpi::Place place_;
  bool in_place_;
};

}  // namespace tightwire::collective
