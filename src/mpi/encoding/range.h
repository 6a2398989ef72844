// The value range over all ranks, which a relative error bound of a reduction is a part of.
#pragma once

#include <mpi.h>

#include "codec/estimate/value_range.h"

namespace tightwire::mpi {

// Of all ranks' ranges, the same on every rank; a rank whose values are all the same may hold
// nothing but fill values. Collective over `comm`; throws MpiError.
[[nodiscard]] codec::ValueRange agreed_range(const codec::ValueRange& own, MPI_Comm comm);

}  // namespace tightwire::mpi
