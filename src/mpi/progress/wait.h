// MPI_Wait for where the core may be wanted by others: MPICH's, and Open MPI's by default, looks
// without a pause, for what another rank can only send once it has the core.
#pragma once

#include <mpi.h>

#include "os/waiting/spin_then_sleep.h"

namespace tightwire::mpi {

#ifdef TIGHTWIRE_MPI_WAITS_ASLEEP  // a simulation's, which has its own

int wait(MPI_Request* request, MPI_Status* status,
         os::SpinThenSleep::Naps naps = os::SpinThenSleep::Naps::at_once);
int test(MPI_Request* request, int* done, MPI_Status* status);
int look(MPI_Request* request, int* done, MPI_Status* status);

#else

// As PMPI_Wait(): a failure calls the same error handler. Open MPI's MPI_Test calls that of
// MPI_COMM_WORLD, and its MPI_Request_get_status none.
inline int wait(MPI_Request* request, MPI_Status* status,
                os::SpinThenSleep::Naps naps = os::SpinThenSleep::Naps::at_once) {
  for (os::SpinThenSleep spin(naps);; spin.pause()) {
    int done = 0;
#ifdef OPEN_MPI
    PMPI_Request_get_status(*request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return PMPI_Wait(request, status);
#else
    const int code = PMPI_Test(request, &done, status);
    if (code != MPI_SUCCESS || done != 0) return code;
#endif
  }
}

// At a message's request, whether or not anybody waits.
inline int look(MPI_Request* request, int* done, MPI_Status* status) {
  return PMPI_Test(request, done, status);
}

// Before a pause of os::SpinThenSleep in a wait for several. The status must be there.
inline int test(MPI_Request* request, int* done, MPI_Status* status) {
  return look(request, done, status);
}

#endif

}  // namespace tightwire::mpi
