// Whether the core that the calling thread computes on is its own (os/waiting/core_share.h).
#pragma once

#include <mpi.h>

#include "os/waiting/core_share.h"

namespace tightwire::mpi {

#ifdef TIGHTWIRE_MPI_WAITS_ASLEEP  // a simulation's rank has one, whatever computes it
inline bool core_is_shared() {
  return false;
}
#else
inline bool core_is_shared() {
  return os::core_is_shared();
}
#endif

}  // namespace tightwire::mpi
