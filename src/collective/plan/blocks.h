// The blocks of a buffer that has one for each rank, or for each neighbour.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

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
  // As a w-operation names them: with a type each, displacements in bytes.
  Blocks(const void* address, const MPI_Datatype* datatypes, mpi::Counts counts,
         mpi::Counts displacements)
      : first_{address, 0, MPI_DATATYPE_NULL},
        given_(Given{counts, displacements}),
        types_(Types{datatypes}) {}
  // The same one for everybody.
  [[nodiscard]] static Blocks repeated(const mpi::Buffer& block) {
    Blocks blocks(block);
    blocks.repeated_ = true;
    return blocks;
  }

  // Throws MpiError.
  [[nodiscard]] mpi::Buffer of(int rank) const {
    if (repeated_) return first_;
    if (types_) return first_.shifted(given_->displacements[rank], count(rank), type(rank));
    if (given_) return first_.at(given_->displacements[rank], count(rank));
    return first_.at(std::ptrdiff_t{rank} * first_.count, first_.count);
  }

  // The size of the signature; where the block lies is of no matter. Throws MpiError.
  [[nodiscard]] std::size_t bytes(int rank) const {
    return mpi::Buffer{first_.address, count(rank), type(rank)}.bytes();
  }
  // Of the first `ranks` together.
  [[nodiscard]] std::size_t bytes_of_all(int ranks) const {
    std::size_t bytes_so_far = 0;
    for (int rank = 0; rank < ranks; ++rank) bytes_so_far += bytes(rank);
    return bytes_so_far;
  }

  // The same, of which it is known how many there are.
  [[nodiscard]] Blocks numbered(std::size_t number) const {
    Blocks blocks(*this);
    blocks.number_ = number;
    return blocks;
  }
  // Keeps copies of the program's arrays. Only of numbered() ones.
  void keep_arrays();
  // The types of blocks that have one each, in the copy of that array; else that of all of them.
  [[nodiscard]] std::span<MPI_Datatype> types() {
    return types_ ? std::span(kept_->types) : std::span(&first_.datatype, 1);
  }

  // The longest one of a v-operation.
  [[nodiscard]] std::size_t longest_bytes(int ranks) const {
    mpi::Count longest = 0;
    for (int rank = 0; rank < ranks; ++rank) longest = std::max(longest, count(rank));
    return mpi::Buffer{first_.address, longest, first_.datatype}.bytes();
  }

  [[nodiscard]] bool in_place() const { return first_.in_place(); }
  // Whether MPI would take them.
  [[nodiscard]] bool valid(int ranks) const {
    if (!given_) return first_.valid();
    return !in_place() && given_->displacements.given() && given_->counts.given() &&
           !given_->counts.any_negative(ranks) && has_types(ranks);
  }

 private:
  struct Given {
    mpi::Counts counts;
    mpi::Counts displacements;
  };
  struct Types {
    const MPI_Datatype* of;
  };
  struct Arrays {
    std::vector<mpi::Count> counts;
    std::vector<mpi::Count> displacements;
    std::vector<MPI_Datatype> types;
  };

  [[nodiscard]] mpi::Count count(int rank) const {
    return given_ ? given_->counts[rank] : first_.count;
  }
  [[nodiscard]] MPI_Datatype type(int rank) const {
    return types_ ? types_->of[rank] : first_.datatype;
  }
  // MPICH does not look at the types of blocks of nothing.
  [[nodiscard]] bool has_types(int ranks) const {
    if (!types_) return first_.datatype != MPI_DATATYPE_NULL;
    if (types_->of == nullptr) return false;
    for (int rank = 0; rank < ranks; ++rank) {
      if (type(rank) == MPI_DATATYPE_NULL && count(rank) > 0) return false;
    }
    return true;
  }

  mpi::Buffer first_;
  std::optional<Given> given_;
  std::optional<Types> types_;  // where they have one each
  bool repeated_ = false;
  std::size_t number_ = 0;
  std::shared_ptr<Arrays> kept_;
};

inline void Blocks::keep_arrays() {
  if (!given_ || in_place()) return;
  kept_ = std::make_shared<Arrays>();
  for (std::size_t i = 0; i < number_; ++i) {
    const auto at = static_cast<int>(i);
    kept_->counts.push_back(given_->counts[at]);
    kept_->displacements.push_back(given_->displacements[at]);
    if (types_) kept_->types.push_back(types_->of[i]);
  }
  given_ = Given{mpi::Counts(kept_->counts.data()), mpi::Counts(kept_->displacements.data())};
  if (types_) types_ = Types{kept_->types.data()};
}

}  // namespace tightwire::collective
