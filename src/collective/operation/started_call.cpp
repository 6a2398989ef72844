#include "collective/operation/started_call.h"

#include <dlfcn.h>

#include "mpi/communicator/route.h"
#include "os/float_traps.h"

namespace tightwire::collective {
namespace {

// What MPI has of a call. It asks for the status in one thread and lets go of it in another.
struct Handle {
  std::shared_ptr<StartedCall> call;
  std::atomic<bool> told{false};
};

int query(void* state, MPI_Status* status) {
  auto* const handle = static_cast<Handle*>(state);
  set_empty(status);
  const int code = handle->call->raise();
  handle->told.store(true, std::memory_order_release);
  return code;
}

int forget(void* state) {
  const std::unique_ptr<Handle> handle(static_cast<Handle*>(state));
  static_cast<void>(handle->told.load(std::memory_order_acquire));
  return MPI_SUCCESS;
}

// Collectives cannot be cancelled (MPI 4.0, section 6.12).
int cancel(void*, int) {
  return MPI_ERR_REQUEST;
}

#ifdef MPICH_NAME

// MPICH 4.0 fails in MPI_Waitall with a request that is not complete, unless it can ask it to be.
int poll(void*, MPI_Status*) {
  const os::FloatTrapsOff floats;
  background().advance();
  return MPI_SUCCESS;
}

int wait(int count, void** states, double, MPI_Status*) {
  const os::FloatTrapsOff floats;
  for (int i = 0; i < count; ++i) background().finish(*static_cast<Handle*>(states[i])->call);
  return MPI_SUCCESS;
}

// An extension, which others of the family need not have.
using StartRequest = decltype(&PMPIX_Grequest_start);

StartRequest start_request() {
  static const auto found =
      reinterpret_cast<StartRequest>(dlsym(RTLD_DEFAULT, "PMPIX_Grequest_start"));
  return found;
}

bool has_requests() {
  return start_request() != nullptr;
}

int make_request(Handle* handle, MPI_Request* request) {
  return start_request()(&query, &forget, &cancel, &poll, &wait, handle, request);
}

#else

bool has_requests() {
  return true;
}

int make_request(Handle* handle, MPI_Request* request) {
  return PMPI_Grequest_start(&query, &forget, &cancel, handle, request);
}

#endif

}  // namespace

bool StartedCall::move_on() {
  if (!running_) prepared_->begin(running_, start_);
  if (!running_->progress(mpi::Operation::Waiting::no)) return false;
  running_->count();
  return true;
}

// An error is the program's when it completes the request.
bool StartedCall::advance() noexcept {
  try {
    if (!mpi::indispensable(prepared_->name(), MPI_COMM_WORLD, [this] { return move_on(); }))
      return false;
  } catch (const mpi::MpiError& error) {
    error_ = error;
    if (running_) running_->abort();
  }
  has_ended_.store(true, std::memory_order_release);
  if (request_ != MPI_REQUEST_NULL) PMPI_Grequest_complete(request_);
  over_.store(true, std::memory_order_release);
  return true;
}

void StartedCall::give_up() noexcept {
  communicator().gave_up = true;
  if (running_) running_->abort();
}

int StartedCall::raise() {
  if (!raised_) raised_ = raise_now();
  return *raised_;
}

// Another thread may have moved it to its end: what that wrote is seen from here on.
int StartedCall::raise_now() const {
  static_cast<void>(has_ended_.load(std::memory_order_acquire));
  MPI_Comm comm = communicator().route->comm_for_errors();
  if (error_) return mpi::raise(*error_, prepared_->name(), comm);
  const std::optional<mpi::Failure>& failure = running_->work().health.first();
  return failure ? mpi::raise(*failure, prepared_->name(), comm) : MPI_SUCCESS;
}

bool can_start() {
  return has_requests();
}

void set_empty(MPI_Status* status) {
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
}

void start(const std::shared_ptr<PreparedCall>& prepared, MPI_Request* request) {
  const auto call = std::make_shared<StartedCall>(prepared);
  auto handle = std::make_unique<Handle>();
  handle->call = call;
  mpi::check(make_request(handle.get(), &call->request_));
  static_cast<void>(handle.release());
  *request = call->request_;
  background().begin(call, call->communicator());
}

}  // namespace tightwire::collective
