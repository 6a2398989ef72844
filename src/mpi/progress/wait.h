// MPI_Wait for where the core may be wanted by others: MPICH's, and Open MPI's by default, looks
// without a pause, for what another rank can only send once it has the core.
#pragma once

#include <mpi.h>

#include "os/waiting/spin_then_sleep.h"

namespace tightwire::mpi {

// As PMPI_Wait(): a failure calls the same error handler. Open MPI's MPI_Test calls that of
// MPI_COMM_WORLD, and its MPI_Request_get_status none.
inline int wait(MPI_Request* request, MPI_Status* status) {
#ifdef TIGHTWIRE_MPI_WAITS_ASLEEP  // a simulation's
  return PMPI_Wait(request, status);
#else
  for (os::SpinThenSleep spin;; spin.pause()) {
    int done = 0;
#ifdef OPEN_MPI
    PMPI_Request_get_status(*request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return PMPI_Wait(request, status);
#else
    const int code = PMPI_Test(request, &done, status);
    if (code != MPI_SUCCESS || done != 0) return code;
#endif
  }
#endif
}

}  // namespace tightwire::mpi
