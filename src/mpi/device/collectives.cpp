#include "mpi/device/collectives.h"

#include <mpi.h>

#include <atomic>

#include "mpi/device/memory_space.h"
#include "mpi/error.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

std::atomic<bool> left_to_mpi{false};

}  // namespace

void agree_on_devices() {
  if (runtime::current().settings.device != settings::Device::off) return;
  int devices = may_have_devices() ? 1 : 0;
  check(PMPI_Allreduce(MPI_IN_PLACE, &devices, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  left_to_mpi = devices != 0;
}

bool collectives_are_left_to_mpi() {
  return left_to_mpi.load(std::memory_order_relaxed);
}

}  // namespace tightwire::mpi
