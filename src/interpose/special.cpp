#include "interpose/special.h"

#include <mpi.h>

#include "collective/communicator.h"
#include "p2p/engine.h"
#include "runtime/in_force.h"
#include "runtime/runtime.h"

namespace tightwire::special {
namespace {

void start() {
  runtime::start();
  p2p::start();
}

}  // namespace

int init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  if (code == MPI_SUCCESS) start();
  return code;
}

int init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  if (code == MPI_SUCCESS) start();
  return code;
}

int finalize() {
  if (runtime::active()) {
    p2p::finish();
    runtime::finish();
    collective::release_world();
    runtime::release_guides();
  }
  return PMPI_Finalize();
}

}  // namespace tightwire::special
