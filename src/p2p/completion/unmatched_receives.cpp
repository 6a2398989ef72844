#include "p2p/completion/unmatched_receives.h"

#include "mpi/communicator/private/copy.h"
#include "mpi/error.h"
#include "p2p/state/process_wide.h"
#include "p2p/state/self_tags.h"

namespace tightwire::p2p {

UnmatchedReceives& unmatched_receives() {
  return process_wide<UnmatchedReceives>();
}

MPI_Request UnmatchedReceives::take() {
  const std::scoped_lock lock(mutex_);
  if (idle_.empty()) {
    idle_.push_back(MPI_REQUEST_NULL);
    mpi::check(PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, unmatched_receive_tag, mpi::self().comm,
                          &idle_.back()));
  }
  const MPI_Request receive = idle_.back();
  idle_.pop_back();
  return receive;
}

void UnmatchedReceives::put_back(MPI_Request receive) {
  const std::scoped_lock lock(mutex_);
  idle_.push_back(receive);
}

void UnmatchedReceives::cancel() {
  for (MPI_Request& receive : idle_) {
    PMPI_Cancel(&receive);
    PMPI_Wait(&receive, MPI_STATUS_IGNORE);
  }
  idle_.clear();
}

}  // namespace tightwire::p2p
