// Counts beyond int, with and without MPI 4's functions for them: one library serves every MPI of a
// family (MPICH's ABI), older ones as well, which lack these.
#pragma once

#include <mpi.h>

#include "mpi/counts.h"

namespace tightwire::mpi {

// Whether the MPI that the program runs with has them.
[[nodiscard]] bool knows_wide_counts();

// Makes a type of `count` elements one after the other; it is committed. Throws MpiError.
[[nodiscard]] MPI_Datatype elements_in_a_row(Count count, MPI_Datatype type);

}  // namespace tightwire::mpi
