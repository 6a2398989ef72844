// For MPI 4's entry points with counts wider than int (MPI_Allreduce_c ...), served by the same
// handlers. mpi4py uses no others where MPI has them.
#pragma once

#include <mpi.h>

#include <climits>

namespace tightwire::interpose {

[[nodiscard]] constexpr bool fits_int(MPI_Count count) {
  return count <= INT_MAX;
}

}  // namespace tightwire::interpose
