// What the kinds of probe have in common.
#pragma once

#include <mpi.h>

#include "p2p/progress.h"
#include "p2p/route.h"

namespace tightwire::p2p {

// The route where a probe could meet a frame, else nullptr. Throws MpiError.
[[nodiscard]] const Route* probing_route(int source, MPI_Comm comm);

}  // namespace tightwire::p2p
