#include "interpose/special.h"

#include <mpi.h>

#include "collective/communicator.h"
#include "runtime/runtime.h"

namespace tightwire::special {

int init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  if (code == MPI_SUCCESS) runtime::start();
  return code;
}

int init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  if (code == MPI_SUCCESS) runtime::start();
  return code;
}

int finalize() {
  if (runtime::active()) {
    runtime::finish();
    collective::release_world();
  }
  return PMPI_Finalize();
}

}  // namespace tightwire::special
