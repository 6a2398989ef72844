// Ranks time their calls, and so choose among the ways of carrying them out, by the simulation's
// clock. This stands for mpi/clock/own_seconds.cpp, which is not linked.
#include <mpi.h>

#include "mpi/clock/own_seconds.h"

namespace tightwire::mpi {

double own_seconds() {
  return PMPI_Wtime();
}

double core_seconds() {
  return PMPI_Wtime();
}

}  // namespace tightwire::mpi
