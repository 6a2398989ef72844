// MPI_Probe, MPI_Iprobe: a frame shows the size of the message that it stands for.
#include "mpi/call.h"
#include "mpi/status.h"
#include "p2p/engine.h"
#include "p2p/entry/p2p.h"
#include "p2p/entry/probing.h"

namespace tightwire::p2p {

using mpi::CallName;
using mpi::guarded;

const mpi::Route* probing_route(int source, MPI_Comm comm) {
  const mpi::Route* route = mpi::route_of(comm);
  return route != nullptr && route->may_cross(source) ? route : nullptr;
}

int iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return mpi::guarded(mpi::CallName{"MPI_Iprobe", 0, "from", source}, comm, [&]() -> int {
    const mpi::Route* route = probing_route(source, comm);
    if (route == nullptr) return PMPI_Iprobe(source, tag, comm, flag, status);
    const std::scoped_lock lock(engine().unexpected.matching());
    const auto found = engine().unexpected.probe(*route, source, tag);
    *flag = found ? 1 : 0;
    if (found) mpi::give(found->status, status);
    return MPI_SUCCESS;
  });
}

int probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return mpi::guarded(mpi::CallName{"MPI_Probe", 0, "from", source}, comm, [&] {
    const mpi::Route* route = probing_route(source, comm);
    if (route == nullptr) return PMPI_Probe(source, tag, comm, status);
    SpinThenYield patience;
    for (;;) {
      int found = 0;
      const int code = iprobe(source, tag, comm, &found, status);
      if (code != MPI_SUCCESS || found != 0) return code;
      patience.pause();
    }
  });
}

}  // namespace tightwire::p2p
