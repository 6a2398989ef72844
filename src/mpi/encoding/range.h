// The value range that a relative error bound is a part of.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "codec/codec.h"

namespace tightwire::mpi {

// Largest minus smallest finite value; 0 if there are none. May overflow to infinity.
struct Range {
  double smallest;
  double largest;
  [[nodiscard]] double width() const { return largest > smallest ? largest - smallest : 0; }
};
[[nodiscard]] Range range_of(codec::ElementType type, std::span<const std::byte> values);

// The range over all ranks' values, the same on every rank. Collective over `comm`; throws
// MpiError.
[[nodiscard]] Range agreed_range(const Range& own, MPI_Comm comm);

}  // namespace tightwire::mpi
