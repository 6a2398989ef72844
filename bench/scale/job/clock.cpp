// Ranks time their calls and messages, and so choose among the ways of carrying them out, by the
// simulation's clock. This stands for mpi/clock/own_seconds.cpp, which is not linked, and for the
// clocks of the system (CMakeLists.txt, --wrap): nothing that a rank measures depends on the
// machine.
#include <mpi.h>
#include <simgrid/engine.h>

#include <chrono>
#include <ctime>
#include <ratio>

#include "mpi/clock/own_seconds.h"

namespace tightwire::mpi {

double own_seconds() {
  return PMPI_Wtime();
}

double core_seconds() {
  return PMPI_Wtime();
}

}  // namespace tightwire::mpi

// These two serve before MPI_Init and after MPI_Finalize, too.
extern "C" std::chrono::steady_clock::rep
__wrap__ZNSt6chrono3_V212steady_clock3nowEv() {  // NOLINT(bugprone-reserved-identifier)
  return static_cast<std::chrono::steady_clock::rep>(1e9 * simgrid_get_clock());
}

extern "C" int __wrap_clock_gettime(  // NOLINT(bugprone-reserved-identifier)
    clockid_t /*clock*/, std::timespec* now) {
  const auto nanoseconds = static_cast<long long>(1e9 * simgrid_get_clock());
  *now = {nanoseconds / std::nano::den, nanoseconds % std::nano::den};
  return 0;
}
