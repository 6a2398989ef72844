#include "mpi/progress/mpi_progress.h"

#include <dlfcn.h>
#include <mpi.h>

#include <atomic>
#include <mutex>

#include "os/float_traps.h"

namespace tightwire::mpi {
namespace {

std::atomic<ProgressBody> body_of_all{nullptr};
std::atomic<bool> network_seen{false};

void look() {
  const os::FloatTrapsOff floats;
  const ProgressBody body = body_of_all.load(std::memory_order_relaxed);
  if (body != nullptr) body();
}

#ifdef OPEN_MPI

using Callback = int (*)();
using Register = void (*)(Callback);

// Asked for the number of events: what we did shows in requests of Open MPI's own.
int callback() {
  look();
  return 0;
}

Register found_register() {
  return reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, "opal_progress_register"));
}

bool has_way() {
  return found_register() != nullptr;
}

#elif defined(MPICH_NAME)

bool has_way() {
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  return network_seen && level != MPI_THREAD_MULTIPLE;
}

#else

bool has_way() {
  return false;
}

#endif

}  // namespace

bool open_progress(ProgressBody body) {
  if (!has_way()) return false;
  body_of_all.store(body, std::memory_order_release);
  return true;
}

void begin_progress() {
#ifdef OPEN_MPI
  static std::once_flag registered;
  std::call_once(registered, [] { found_register()(&callback); });
#endif
}

void close_progress() {
  body_of_all.store(nullptr, std::memory_order_relaxed);
}

void network_looked_after() {
  if (!network_seen.load(std::memory_order_relaxed)) network_seen.store(true);
  look();
}

}  // namespace tightwire::mpi
