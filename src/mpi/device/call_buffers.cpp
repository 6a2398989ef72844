#include "mpi/device/call_buffers.h"

#include <atomic>

#include "mpi/device/memory_space.h"
#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

std::atomic<bool> devices_in_job{false};

bool true_anywhere(bool here, MPI_Comm comm) {
  int value = here ? 1 : 0;
  check(PMPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, comm));
  return value != 0;
}

bool is_device(const void* address) {
  return address != MPI_IN_PLACE && memory_space_of(address) == MemorySpace::device;
}

}  // namespace

bool CallBuffers::on_device() {
  return current_ != nullptr && (is_device(current_->first_) || is_device(current_->second_));
}

void agree_on_devices() {
  devices_in_job = true_anywhere(may_have_devices(), MPI_COMM_WORLD);
}

bool job_may_have_devices() {
  return devices_in_job;
}

bool any_on_device(MPI_Comm comm) {
  return devices_in_job && true_anywhere(CallBuffers::on_device(), comm);
}

}  // namespace tightwire::mpi
