// MPI_Cancel, MPI_Request_free, MPI_Request_get_status.
#include <memory>

#include "mpi/status.h"
#include "p2p/engine.h"
#include "p2p/entry/p2p.h"
#include "p2p/request/completion.h"

namespace tightwire::p2p {
namespace {

// A request of ours whose transfer goes on, under another handle than the program's or none.
std::unique_ptr<Request> let_go(MPI_Request* handle) {
  std::unique_ptr<Request> request = engine().requests.extract(*handle);
  if (!request->persistent()) {
    *handle = MPI_REQUEST_NULL;
    return request;
  }
  // The transfer may be the program's handle itself: then MPI frees it when it is complete, but the
  // message must be looked at first.
  request->start = nullptr;
  if (request->transfer == *handle) {
    *handle = MPI_REQUEST_NULL;
    request->free_after = true;
  } else {
    PMPI_Request_free(handle);
  }
  return request;
}

}  // namespace

int cancel(MPI_Request* handle) {
  Request* request = engine().requests.any() ? engine().requests.find(*handle) : nullptr;
  if (request == nullptr || !request->active) return PMPI_Cancel(handle);
  // What was taken in is matched: too late.
  if (request->incoming && request->incoming->taken()) return MPI_SUCCESS;
  return PMPI_Cancel(&request->transfer);
}

int request_free(MPI_Request* handle) {
  Request* request = engine().requests.any() ? engine().requests.find(*handle) : nullptr;
  if (request == nullptr) return PMPI_Request_free(handle);
  return completing("MPI_Request_free", [&]() -> int {
    engine().requests.reap();
    if (!request->active) {
      const auto inactive = engine().requests.extract(*handle);
      return PMPI_Request_free(handle);
    }
    engine().requests.abandon(let_go(handle));
    return MPI_SUCCESS;
  });
}

int request_get_status(MPI_Request handle, int* flag, MPI_Status* status) {
  Request* request = engine().requests.any() ? engine().requests.find(handle) : nullptr;
  if (request == nullptr || !request->active) {
    return PMPI_Request_get_status(handle, flag, status);
  }
  return completing("MPI_Request_get_status", [&]() -> int {
    *flag = request->poll() ? 1 : 0;
    if (*flag == 0) return MPI_SUCCESS;
    if (!request->outcome) return PMPI_Request_get_status(request->transfer, flag, status);
    mpi::give(request->outcome->status, status);
    return request->outcome->code;
  });
}

}  // namespace tightwire::p2p
