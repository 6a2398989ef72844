// Probes that need to know nothing of the communicator: where nothing of ours is under way MPI is
// asked, and that there is no message, or one too short for a frame, is the truth.
#pragma once

#include <mpi.h>

#include "mpi/status.h"
#include "p2p/request/request_table.h"
#include "p2p/state/frame_rules.h"
#include "p2p/transfer/unexpected.h"

namespace tightwire::p2p {

// Whether nothing that MPI does not know of could be found, or has to be moved on.
[[nodiscard]] inline bool may_ask_mpi_first() {
  return !frame_rules().multithreaded && !unexpected().any() && !request_table().any_abandoned();
}

[[nodiscard]] inline bool is_too_short_for_a_frame(const MPI_Status& status) {
  return mpi::bytes_of(status) < frame_rules().shortest_frame;
}

}  // namespace tightwire::p2p
