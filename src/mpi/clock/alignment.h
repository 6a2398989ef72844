// Makes one clock of those of a communicator's ranks (policy/tuning/common_clock.h): that of its
// first rank.
#pragma once

#include "mpi/communicator/communicator.h"

namespace tightwire::mpi {

// By short messages along a tree of the ranks: some of 16 bytes for each. Returns the latency
// between two ranks as the slowest pair saw it, in seconds. Collective; throws MpiError.
[[nodiscard]] double align_clock(const Communicator& communicator, policy::CommonClock& clock);

}  // namespace tightwire::mpi
