#include "runtime/start/sessions.h"

#include <mpi.h>

namespace tightwire::runtime {

bool any_rank_has_session() {
  if constexpr (MPI_VERSION < 4) return false;
  const int own = open_sessions() > 0 ? 1 : 0;
  int any = 0;
  PMPI_Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any != 0;
}

}  // namespace tightwire::runtime
