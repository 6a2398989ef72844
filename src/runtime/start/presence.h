// A rank that was started without tightwire takes no part in what the others agree on: they would
// wait for it for ever.
#pragma once

#include <chrono>

namespace tightwire::runtime {

// Collective over MPI_COMM_WORLD, and the first thing that ranks do together: returns when all of
// them are here. Ranks leave MPI_Init at nearly the same time, so whoever does not come within
// `limit` will not come. Then one rank says who is missing and the job is aborted.
void await_everybody(std::chrono::seconds limit);

}  // namespace tightwire::runtime
