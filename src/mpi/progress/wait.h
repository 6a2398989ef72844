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
void ends_pause(MPI_Request* request);

#else

// At a message's request, whether or not anybody waits: as MPI_Test, but a failure calls the error
// handler that MPI_Wait calls. Open MPI's MPI_Test calls that of MPI_COMM_WORLD, and its
// MPI_Request_get_status none.
inline int look(MPI_Request* request, int* done, MPI_Status* status) {
#ifdef OPEN_MPI
  const int code = PMPI_Request_get_status(*request, done, MPI_STATUS_IGNORE);
  return *done != 0 ? PMPI_Wait(request, status) : code;
#else
  return PMPI_Test(request, done, status);
#endif
}

// As PMPI_Wait().
inline int wait(MPI_Request* request, MPI_Status* status,
                os::SpinThenSleep::Naps naps = os::SpinThenSleep::Naps::at_once) {
  for (os::SpinThenSleep spin(naps);; spin.pause()) {
    int done = 0;
    const int code = look(request, &done, status);
    if (code != MPI_SUCCESS || done != 0) return code;
  }
}

// Before a pause of os::SpinThenSleep in a wait for several. The status must be there.
inline int test(MPI_Request* request, int* done, MPI_Status* status) {
  return look(request, done, status);
}

// Of what was looked at and is not over: the wait's next pause is no longer than that takes.
inline void ends_pause(MPI_Request* /*request*/) {}

#endif

}  // namespace tightwire::mpi
