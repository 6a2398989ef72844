#include "mpi/communicator/route.h"

#include "mpi/communicator/communicator_state.h"
#include "mpi/communicator/effective_settings.h"

namespace tightwire::mpi {

Route::Route(MPI_Comm comm) : HostMap(comm), comm_(comm), resolver_(&resolver_of(comm)) {}

const policy::SettingsResolver& Route::resolver() const {
  if (!freed_) resolver_.store(&resolver_of(comm_), std::memory_order_relaxed);
  return *resolver_.load(std::memory_order_relaxed);
}

Route* route_of(MPI_Comm comm) {
  // Nothing is asked of MPI_COMM_SELF, whose attributes MPI_Finalize deletes one after another.
  if (comm == MPI_COMM_NULL || comm == MPI_COMM_SELF) return nullptr;
  Route& route = state_of(comm).route(comm);
  return route.usable() ? &route : nullptr;
}

}  // namespace tightwire::mpi
