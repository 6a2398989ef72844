// MPICH over UCX looks after the network by this function of libucp, wherever it waits or tests.
// Standing in front of it, Tightwire's collectives go on there too (mpi/progress/mpi_progress.h).
#include <mpi.h>

#include "interpose/real.h"
#include "mpi/progress/mpi_progress.h"

#ifndef OPEN_MPI

extern "C" {

[[gnu::visibility("default")]] unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static const auto real =
      tightwire::interpose::real<decltype(&ucp_worker_progress)>("ucp_worker_progress");
  const unsigned events = real(worker);
  tightwire::mpi::network_looked_after();
  return events;
}

}  // extern "C"

#endif
