#include "interpose/special.h"

#include <mpi.h>

#include "mpi/call.h"
#include "mpi/communicator/communicator_state.h"
#include "mpi/communicator/private_world.h"
#include "p2p/lifecycle.h"
#include "runtime/runtime.h"

namespace tightwire::special {

using mpi::guarded;

namespace {

int start() {
  return guarded({"MPI_Init"}, MPI_COMM_WORLD, [] {
    runtime::start();
    mpi::open_private_world();
    p2p::start();
    return MPI_SUCCESS;
  });
}

int finish() {
  return guarded({"MPI_Finalize"}, MPI_COMM_WORLD, [] {
    p2p::finish();
    runtime::finish();
    mpi::release_world();
    mpi::close_private_world();
    return MPI_SUCCESS;
  });
}

}  // namespace

int init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  return code == MPI_SUCCESS ? start() : code;
}

int init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  return code == MPI_SUCCESS ? start() : code;
}

int finalize() {
  if (runtime::active()) finish();
  return PMPI_Finalize();
}

}  // namespace tightwire::special
