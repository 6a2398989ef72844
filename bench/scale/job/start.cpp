#include "scale/job/start.h"

#include "calibrate/measure/world.h"
#include "collective/transfer/background.h"
#include "mpi/communicator/communicator_state.h"
#include "mpi/communicator/private_world.h"
#include "mpi/device/collectives.h"
#include "runtime/runtime.h"

namespace tightwire::scale {
namespace {

// From the first rank to the last, in simulated seconds.
double latency() {
  constexpr int rounds = 10;
  const int rank = calibrate::world_rank();
  const int last = calibrate::world_size() - 1;
  char message = 0;
  const double begin = PMPI_Wtime();
  for (int round = 0; round < rounds && last > 0; ++round) {
    if (rank == 0) PMPI_Send(&message, 1, MPI_CHAR, last, 0, MPI_COMM_WORLD);
    if (rank == last) PMPI_Recv(&message, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == last) PMPI_Send(&message, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) PMPI_Recv(&message, 1, MPI_CHAR, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  double seconds = (PMPI_Wtime() - begin) / (2 * rounds);
  PMPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return seconds;
}

}  // namespace

void start() {
  runtime::start();
  mpi::open_private_world();
  mpi::agree_on_devices();
  // Other jobs measure it as they align their clocks; deterministic ones look at no clock.
  mpi::communicator_of({MPI_COMM_WORLD}).network.latency = latency();
}

void finish() {
  runtime::finish();
  mpi::release_world();
  mpi::close_private_world();
}

}  // namespace tightwire::scale
