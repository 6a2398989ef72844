// MPI_Probe, MPI_Iprobe: a frame shows the size of the message that it stands for.
#include "mpi/call.h"
#include "mpi/communicator/route.h"
#include "mpi/error.h"
#include "mpi/status.h"
#include "p2p/entry/p2p.h"
#include "p2p/request/request_table.h"
#include "p2p/state/spin_then_yield.h"
#include "p2p/transfer/framing.h"
#include "p2p/transfer/unexpected.h"

namespace tightwire::p2p {

int iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return mpi::guarded(mpi::CallName{"MPI_Iprobe", 0, "from", source}, comm, [&]() -> int {
    const mpi::Route* route = crossing_route(source, tag, comm);
    if (route == nullptr) return after_reaping(PMPI_Iprobe(source, tag, comm, flag, status));
    if (request_table().any_abandoned()) request_table().reap();
    const std::scoped_lock lock(unexpected().matching());
    const auto found = unexpected().probe(*route, source, tag);
    *flag = found ? 1 : 0;
    if (found) mpi::give(found->status, status);
    return MPI_SUCCESS;
  });
}

int probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return mpi::guarded(mpi::CallName{"MPI_Probe", 0, "from", source}, comm, [&] {
    const mpi::Route* route = crossing_route(source, tag, comm);
    if (route == nullptr) return PMPI_Probe(source, tag, comm, status);
    SpinThenYield spin;
    for (;;) {
      int found = 0;
      const int code = iprobe(source, tag, comm, &found, status);
      if (code != MPI_SUCCESS || found != 0) return code;
      spin.pause();
    }
  });
}

}  // namespace tightwire::p2p
