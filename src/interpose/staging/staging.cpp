#include "interpose/staging/staging.h"

#include <dlfcn.h>

#include "interpose/staging/requests.h"
#include "mpi/device/memory_space.h"
#include "runtime/runtime.h"

namespace tightwire::staging {
namespace {

bool leaves_messages = false;

// MPIs that know of CUDA have this function (Open MPI 2, MPICH 4, MVAPICH2 and what came of them).
bool mpi_reaches_devices() {
  using Query = int (*)();
  const auto query = reinterpret_cast<Query>(dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"));
  return query != nullptr && query() == 1;
}

}  // namespace

void start() {
  const settings::Device wanted = runtime::asked_for().settings.device;
  if (wanted == settings::Device::off || !mpi::may_have_devices()) return;
  leaves_messages = wanted == settings::Device::automatic && mpi_reaches_devices();
  detail::active = true;
}

void finish() {
  if (!detail::active.exchange(false)) return;
  finish_freed();
}

bool messages_are_left_to_mpi() {
  return leaves_messages;
}

}  // namespace tightwire::staging
