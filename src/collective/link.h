// How fast the network is, as one rank gets it.
#pragma once

#include <mpi.h>

namespace tightwire::collective {

// Bytes per second between neighbours of the ring of `comm`, the slowest pair's; the same on all
// ranks. Measured once in a process's life and remembered, since hosts keep their network.
// Collective; throws MpiError.
[[nodiscard]] double measured_link(MPI_Comm comm);

}  // namespace tightwire::collective
