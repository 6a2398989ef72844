// MPI_Probe, MPI_Iprobe: a frame shows the size of the message that it stands for.
#include "mpi/call.h"
#include "mpi/communicator/route.h"
#include "mpi/error.h"
#include "mpi/status.h"
#include "os/waiting/spin_then_sleep.h"
#include "p2p/completion/catch_up.h"
#include "p2p/entry/ask_mpi_first.h"
#include "p2p/entry/p2p.h"
#include "p2p/state/frame_rules.h"
#include "p2p/transfer/framing.h"
#include "p2p/transfer/unexpected.h"

namespace tightwire::p2p {

namespace {

int look(const mpi::Route& route, int source, int tag, int* flag, MPI_Status* status) {
  catch_up();
  MPI_Status seen{};
  if (!unexpected().probe_mpi(route, source, tag, *flag, seen)) {
    const std::scoped_lock lock(unexpected().matching());
    const auto found = unexpected().probe(route, source, tag);
    *flag = found ? 1 : 0;
    if (found) seen = found->status;
  }
  if (*flag != 0) mpi::give(seen, status);
  return MPI_SUCCESS;
}

// Waits in MPI, where nothing of ours is under way that would have to be moved on meanwhile.
// Whether what MPI then says is the truth.
bool wait_in_mpi(const mpi::Route& route, int source, int tag, MPI_Status& seen) {
  const bool idle = !frame_rules().multithreaded && !unexpected().any() && !request_table().any() &&
                    !request_table().any_abandoned();
  if (!idle) return false;
  mpi::check(PMPI_Probe(source, tag, route.comm(), &seen));
  return is_as_long_as_it_looks(route, seen);
}

}  // namespace

int iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  if (may_ask_mpi_first()) {
    MPI_Status seen{};
    const int code = PMPI_Iprobe(source, tag, comm, flag, &seen);
    if (code != MPI_SUCCESS || *flag == 0) return code;
    if (is_too_short_for_a_frame(seen)) {
      mpi::give(seen, status);
      return MPI_SUCCESS;
    }
  }
  return mpi::guarded(mpi::CallName{"MPI_Iprobe", 0, "from", source}, comm, [&]() -> int {
    const mpi::Route* route = crossing_route(source, tag, comm);
    if (route == nullptr) return caught_up(PMPI_Iprobe(source, tag, comm, flag, status));
    return look(*route, source, tag, flag, status);
  });
}

int probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  if (may_ask_mpi_first() && !request_table().any()) {
    MPI_Status seen{};
    const int code = PMPI_Probe(source, tag, comm, &seen);
    if (code != MPI_SUCCESS) return code;
    if (is_too_short_for_a_frame(seen)) {
      mpi::give(seen, status);
      return MPI_SUCCESS;
    }
  }
  return mpi::guarded(mpi::CallName{"MPI_Probe", 0, "from", source}, comm, [&]() -> int {
    const mpi::Route* route = crossing_route(source, tag, comm);
    if (route == nullptr) return caught_up(PMPI_Probe(source, tag, comm, status));
    MPI_Status seen{};
    if (wait_in_mpi(*route, source, tag, seen)) {
      mpi::give(seen, status);
      return MPI_SUCCESS;
    }
    os::SpinThenSleep spin(os::SpinThenSleep::Naps::after_yields);
    for (;;) {
      int found = 0;
      const int code = look(*route, source, tag, &found, status);
      if (code != MPI_SUCCESS || found != 0) return code;
      spin.pause();
    }
  });
}

}  // namespace tightwire::p2p
