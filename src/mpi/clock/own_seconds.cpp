#include "mpi/clock/own_seconds.h"

#include <chrono>

#include "os/thread_time.h"

namespace tightwire::mpi {

double own_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

double core_seconds() {
  return os::thread_seconds();
}

}  // namespace tightwire::mpi
