// All ranks' parts of an audit become one, which rank 0 writes and tells of.
#pragma once

#include <functional>

#include "audit/profile.h"

namespace tightwire::auditor {

// Collective over MPI_COMM_WORLD, when MPI is up: the audit's own messages need a communicator that
// none of the program's can match.
void prepare_collection();
// The same, before MPI goes down. `counted` makes what this rank has counted, when all are there.
void collect(const std::function<audit::Profile()>& counted);

}  // namespace tightwire::auditor
