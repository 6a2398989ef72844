#include "mpi/clock/own_seconds.h"

#include <chrono>

namespace tightwire::mpi {

double own_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace tightwire::mpi
