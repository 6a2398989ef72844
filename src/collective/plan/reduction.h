// A reduction that Tightwire can carry out itself.
#pragma once

#include <mpi.h>

#include <optional>
#include <span>

#include "mpi/buffer.h"
#include "mpi/datatype/predefined_type.h"
#include "policy/call.h"

namespace tightwire::collective {

struct Reduction {
  policy::Operation operation{};
  mpi::Buffer own;  // this rank's values, all of them
  MPI_Op op = MPI_OP_NULL;
  mpi::PredefinedType type;
  mpi::ReductionKind kind = mpi::ReductionKind::unsupported;

  [[nodiscard]] std::size_t items() const { return static_cast<std::size_t>(own.count); }
  [[nodiscard]] std::size_t bytes() const { return items() * type.item_size; }
  [[nodiscard]] std::span<const std::byte> values() const { return {own.host(), bytes()}; }
  // Some may be on their way from a device (mpi/device/pieces.h).
  [[nodiscard]] std::span<const std::byte> values_in_pieces() const {
    return {own.host_in_pieces(), bytes()};
  }
  // Whether an error bound may apply to it.
  [[nodiscard]] bool boundable() const {
    return kind != mpi::ReductionKind::other && mpi::is_boundable(type);
  }
  // Whether its result does; minima, maxima and whole numbers have the same in any order.
  [[nodiscard]] bool depends_on_order() const {
    const bool selects = kind == mpi::ReductionKind::min || kind == mpi::ReductionKind::max;
    return mpi::is_rounded(type) && !selects;
  }
};

// Nothing for what is left to MPI, invalid arguments among it. Needs no communication and comes out
// alike on all ranks of a correct program.
[[nodiscard]] std::optional<Reduction> recognise(policy::Operation operation,
                                                 const mpi::Buffer& own, MPI_Op op, MPI_Comm comm);

}  // namespace tightwire::collective
