// What Tightwire did, at the end of the program: a table for people, JSON for machines.
#pragma once

#include "runtime/runtime.h"

namespace tightwire::runtime {

// Collective over MPI_COMM_WORLD. Sums the ranks' statistics; rank 0 prints the table if `verbose`
// is on, writes `report` if a file is named, and says why nothing was gained unless `quiet`.
void report(const Runtime& runtime);

}  // namespace tightwire::runtime
