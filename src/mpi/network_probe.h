// How fast the network is, as one rank gets it.
#pragma once

#include <mpi.h>

#include "policy/cost/network.h"

namespace tightwire::mpi {

// Between neighbours of the ring of `comm`, the slowest pair's; the same on all ranks. Measured
// once in a process's life and remembered, since hosts keep their network. Collective; throws
// MpiError.
[[nodiscard]] policy::Network measured_network(MPI_Comm comm);

}  // namespace tightwire::mpi
