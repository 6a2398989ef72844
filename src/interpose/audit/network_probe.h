// How fast the network is, as one rank gets it: measured once, at the end of an audit.
#pragma once

#include <mpi.h>

#include "policy/cost/network.h"

namespace tightwire::auditor {

// Where it is measured: `comm` is that of the ranks that agree; messages go over `messages`.
struct Ring {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm messages = MPI_COMM_NULL;
  int left = 0;  // ranks of `messages`
  int right = 0;
  int tag = 0;
};

// Between neighbours of the ring, the slowest pair's; the same on all ranks. It takes a small part
// of the time that the run took so far. Collective; throws MpiError.
[[nodiscard]] policy::Network measured_network(const Ring& ring, double run_seconds);

}  // namespace tightwire::auditor
