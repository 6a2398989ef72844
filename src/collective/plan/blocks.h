// The blocks of a buffer that has one for each rank.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <optional>

#include "mpi/buffer.h"
#include "mpi/counts.h"

namespace tightwire::collective {

class Blocks {
 public:
  // One after the other, of `block.count` items each.
  explicit Blocks(const mpi::Buffer& block) : first_(block) {}
  // As a v-operation names them. Refers to the program's arrays.
  Blocks(const void* address, MPI_Datatype datatype, mpi::Counts counts, mpi::Counts displacements)
      : first_{address, 0, datatype}, given_(Given{counts, displacements}) {}

  // Throws MpiError.
  [[nodiscard]] mpi::Buffer of(int rank) const {
    if (given_) return first_.at(given_->displacements[rank], given_->counts[rank]);
    return first_.at(std::ptrdiff_t{rank} * first_.count, first_.count);
  }

  // The size of the signature; where the block lies is of no matter. Throws MpiError.
  [[nodiscard]] std::size_t bytes(int rank) const {
    return mpi::Buffer{first_.address, given_ ? given_->counts[rank] : first_.count,
                       first_.datatype}
        .bytes();
  }

  // The longest one of a v-operation.
  [[nodiscard]] std::size_t longest_bytes(int ranks) const {
    mpi::Count longest = 0;
    for (int rank = 0; rank < ranks; ++rank) longest = std::max(longest, given_->counts[rank]);
    return mpi::Buffer{first_.address, longest, first_.datatype}.bytes();
  }

  // Whether MPI would take those of a v-operation.
  [[nodiscard]] bool valid(int ranks) const {
    return first_.datatype != MPI_DATATYPE_NULL && given_->displacements.given() &&
           given_->counts.given() && !given_->counts.any_negative(ranks);
  }

 private:
  struct Given {
    mpi::Counts counts;
    mpi::Counts displacements;
  };
  mpi::Buffer first_;
  std::optional<Given> given_;
};

}  // namespace tightwire::collective
