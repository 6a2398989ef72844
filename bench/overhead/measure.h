// The time of a sequence with plain calls and under Tightwire, by turns.
#pragma once

#include <mpi.h>

#include <vector>

#include "cases.h"

namespace overhead {

struct Times {
  double plain = 0;  // nanoseconds of one repetition, for each request where that is the unit
  double tightwire = 0;
};

// Of a rank's threads, each with its communicator, which are all at it at once. Medians of samples
// that take `seconds` in all, about, and if calls are slow five times that and one sample of each.
// Both ranks call it; those of rank 0 count.
[[nodiscard]] Times measure(const Case& measured, const std::vector<MPI_Comm>& comms, int requests,
                            double seconds);

}  // namespace overhead
