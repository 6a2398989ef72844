#include "interpose/staging/call.h"

#include "interpose/staging/requests.h"
#include "interpose/staging/staging.h"
#include "mpi/device/memory_space.h"
#include "runtime/device_traffic.h"

namespace tightwire::staging {

Call::Call(const char* function, MPI_Comm comm, Kind kind)
    : leave_(kind == Kind::message && messages_are_left_to_mpi()) {
  staged_.function = function;
  staged_.comm = comm;
}

bool Call::is_staged(const char* name, const void* address) const {
  if (leave_ || address == nullptr || address == MPI_IN_PLACE) return false;
  if (mpi::memory_space_of(address) == mpi::MemorySpace::device) return true;
  if (mpi::was_freed(address)) throw BufferError{name, {0, "it has been freed, or its context"}};
  return false;
}

void* Call::keep(const char* name, void* address, Use use, mpi::Places places) {
  staged_.buffers.push_back({name, use, mpi::Image(address, std::move(places))});
  return staged_.buffers.back().image.address();
}

MPI_Status* Call::status(MPI_Status* given) {
  if (given != MPI_STATUS_IGNORE || staged_.buffers.empty()) return given;
  return &own_status_;
}

void Call::begin() {
  ++runtime::device_traffic().calls;
  staged_.fetch();
}

// MPICH copies a root's own block when the request is made.
void Call::prepare() {
  staged_.fetch();
  staged_.under_way = false;
}

int Call::complete(const MPI_Status* status) {
  staged_.by_status = status != nullptr;
  staged_.put(status != nullptr ? *status : own_status_);
  return MPI_SUCCESS;
}

void Call::remember(MPI_Request request) {
  requests().keep(request, std::move(staged_));
}

// The handle may be that of an earlier request.
int Call::forgetting(int code, const MPI_Request* request) {
  if (code == MPI_SUCCESS) requests().take(*request);
  return code;
}

void refuse_device(const void* buf) {
  if (messages_are_left_to_mpi() || buf == nullptr) return;
  if (mpi::memory_space_of(buf) == mpi::MemorySpace::host) return;
  throw BufferError{"buf", {0, "partitioned communication from and to there is not supported"}};
}

int own_rank(MPI_Comm comm) {
  int rank = 0;
  if (comm != MPI_COMM_NULL) PMPI_Comm_rank(comm, &rank);
  return rank;
}

}  // namespace tightwire::staging
