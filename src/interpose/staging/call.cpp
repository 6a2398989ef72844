#include "interpose/staging/call.h"

#include "interpose/audit/auditor.h"
#include "interpose/recording/recorder.h"
#include "interpose/staging/requests.h"
#include "interpose/staging/staging.h"
#include "mpi/device/coded_buffer.h"
#include "mpi/device/memory_space.h"
#include "p2p/entry/p2p.h"
#include "p2p/lifecycle.h"
#include "runtime/device_traffic.h"

namespace tightwire::staging {
namespace {

// Whether what the call sends may come after it has begun: who reads it asks for it. Who listens
// wants the values, before anything is made of them.
bool may_come_later(Kind kind) {
  const bool is_read = recorder::active() || auditor::active();
  const bool is_ours = kind == Kind::coded_collective || (kind == Kind::message && p2p::active());
  return is_ours && !is_read;
}

bool may_be_coded(Kind kind) {
  return may_come_later(kind) && mpi::devices_code();
}

}  // namespace

Call::Call(const char* function, MPI_Comm comm, Kind kind)
    : leave_(kind == Kind::message && messages_are_left_to_mpi()), kind_(kind) {
  staged_.function = function;
  staged_.comm = comm;
}

Call::~Call() {
  look_at_freed();
}

Call::Where Call::where_is(const void* address) const {
  if (leave_ || address == nullptr || address == MPI_IN_PLACE) return Where::elsewhere;
  if (mpi::memory_space_of(address) == mpi::MemorySpace::device) return Where::device;
  return mpi::was_freed(address) ? Where::freed : Where::elsewhere;
}

void Call::refuse_freed(const char* name) {
  throw BufferError{name, {0, "it has been freed, or its context"}};
}

void* Call::keep(const char* name, void* address, Use use, mpi::Places places) {
  const char* const coded_for = may_be_coded(kind_) ? staged_.function : nullptr;
  staged_.buffers.push_back({name, use, mpi::Image(name, address, std::move(places), coded_for)});
  return staged_.buffers.back().image.address();
}

void Call::sends(const void* image, mpi::Count count, MPI_Datatype datatype, int dest,
                 MPI_Comm comm) {
  for (StagedBuffer& buffer : staged_.buffers) {
    if (buffer.image.address() != image || buffer.use == Use::receives) continue;
    buffer.may_stay =
        may_come_later(kind_) && p2p::asks_for_values(image, count, datatype, dest, comm);
  }
}

void Call::stays(const void* image) {
  for (StagedBuffer& buffer : staged_.buffers) {
    buffer.may_stay =
        buffer.image.address() == image && may_come_later(kind_) && buffer.image.may_come_later();
  }
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
  staged_.fetch(StagedCall::Wanted::now);
  staged_.under_way = false;
}

int Call::complete(const MPI_Status* status) {
  staged_.by_status = status != nullptr;
  staged_.put(status != nullptr ? *status : own_status_);
  return MPI_SUCCESS;
}

// MPIs give one handle to several requests that were complete at once.
int Call::remember(MPI_Request request) {
  int complete = 0;
  MPI_Status status;
  if (!staged_.persistent && get_status(request, &complete, &status) == MPI_SUCCESS && complete) {
    staged_.put(status);
    return MPI_SUCCESS;
  }
  requests().keep(request, std::move(staged_));
  return MPI_SUCCESS;
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
