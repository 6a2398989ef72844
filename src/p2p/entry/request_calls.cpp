// MPI_Cancel, MPI_Request_free, MPI_Request_get_status.
#include <memory>

#include "mpi/operation.h"
#include "mpi/status.h"
#include "p2p/completion/completion.h"
#include "p2p/completion/request_list.h"
#include "p2p/entry/p2p.h"
#include "p2p/request/request.h"
#include "p2p/request/request_table.h"
#include "p2p/request/short_receives.h"

namespace tightwire::p2p {
int cancel(MPI_Request* handle) {
  Request* request = request_table().find(*handle);
  if (request == nullptr || !request->active()) return PMPI_Cancel(handle);
  return request->cancel();
}

int request_free(MPI_Request* handle) {
  Request* request = request_table().find(*handle);
  if (request == nullptr) {
    short_receives().erase(*handle);
    return PMPI_Request_free(handle);
  }
  return completing("MPI_Request_free", [&]() -> int {
    request_table().reap();
    if (!request->active()) {
      const auto inactive = request_table().extract(*handle);
      return PMPI_Request_free(handle);
    }
    // Its transfer goes on, under another handle than the program's or none.
    const std::shared_ptr<Request> own = request_table().extract(*handle);
    own->let_go(handle);
    request_table().abandon(own);
    return MPI_SUCCESS;
  });
}

int request_get_status(MPI_Request handle, int* flag, MPI_Status* status) {
  Request* const request = find_active(&handle);
  if (request == nullptr) {
    return caught_up(PMPI_Request_get_status(handle, flag, status));
  }
  return completing("MPI_Request_get_status", [&]() -> int {
    *flag = request->progress(Request::Waiting::no) ? 1 : 0;
    if (*flag == 0) return MPI_SUCCESS;
    const mpi::Outcome outcome = request->peek();
    mpi::give(outcome.status, status);
    return outcome.code;
  });
}

}  // namespace tightwire::p2p
