// What the kinds of probe have in common.
#pragma once

#include <mpi.h>

#include "mpi/communicator/route.h"
#include "p2p/request/request_list.h"

namespace tightwire::p2p {

// The route where a probe could meet a frame, else nullptr. Throws MpiError.
[[nodiscard]] const mpi::Route* probing_route(int source, MPI_Comm comm);

}  // namespace tightwire::p2p
