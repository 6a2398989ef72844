#include "p2p/request/persistent_collective.h"

#include <utility>

#include "p2p/request/request_table.h"

namespace tightwire::p2p {

void keep_collective(MPI_Request handle, std::shared_ptr<mpi::PersistentOperation> operation,
                     const mpi::CallName& name, MPI_Comm comm) {
  auto request = mpi::indispensable(
      name, comm, [&] { return std::make_shared<PersistentCollective>(std::move(operation)); });
  request_table().insert(handle, std::move(request), name, comm);
}

}  // namespace tightwire::p2p
