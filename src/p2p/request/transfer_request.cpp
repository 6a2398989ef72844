#include "p2p/request/transfer_request.h"

#include "mpi/operation.h"
#include "mpi/progress/wait.h"
#include "p2p/state/error_handlers.h"

namespace tightwire::p2p {
namespace {

#ifdef TIGHTWIRE_MPI_WAITS_ASLEEP  // SMPI's look calls complete what is not
constexpr bool can_look = false;
#else
constexpr bool can_look = true;
#endif

}  // namespace

int TransferRequest::start(MPI_Request persistent) {
  transfer_ = persistent;
  mpi_keeps_ = true;
  return PMPI_Start(&transfer_);
}

int TransferRequest::start_own(MPI_Request persistent) {
  free_after_ = true;
  const int code = start(persistent);
  if (code != MPI_SUCCESS) PMPI_Request_free(&transfer_);
  return code;
}

bool TransferRequest::progress(Waiting waiting) {
  if (known_) return true;
  if (in_mpi_) return leave_behind();
  asked_for();
  if (moved_) return is_settled(waiting);
  return waiting == Waiting::yes ? wait() : test();
}

// Where a failed one would call another error handler when it is only looked at: a persistent one
// may be completed as well, for MPI keeps it.
int TransferRequest::look(int* is_moved, MPI_Status* status) {
  if (can_look && (!requests_fail_on_world || !mpi_keeps_)) {
    return PMPI_Request_get_status(transfer_, is_moved, status);
  }
  const int code = mpi::test(&transfer_, is_moved, status);
  if (code != MPI_SUCCESS || *is_moved != 0) held_ = false;
  return code;
}

// Where a callback in that call has asked for this one, the call itself tells what came of it.
template <class Call>
int TransferRequest::within_mpi(Call&& call) {
  in_mpi_ = true;
  const int code = call();
  in_mpi_ = false;
  known_.reset();
  return code;
}

bool TransferRequest::test() {
  int is_moved = 0;
  MPI_Status status{};
  const int code = within_mpi([&] { return look(&is_moved, &status); });
  if (code != MPI_SUCCESS) {
    // MPICH tells of a failed transfer here, through the error handler; once is enough.
    known_ = {status, code};
    return true;
  }
  if (is_moved == 0) return false;
  // Open MPI tells of it where the request is completed.
  if (held_ && is_too_long(status)) return true;
  moved_ = true;
  moved(status);
  return is_settled(Waiting::no);
}

bool TransferRequest::wait() {
  MPI_Status status{};
  const int code = within_mpi(
      [&] { return mpi::wait(&transfer_, &status, os::SpinThenSleep::Naps::after_yields); });
  held_ = false;
  if (code != MPI_SUCCESS) {
    known_ = {status, code};
    return true;
  }
  moved_ = true;
  moved(status);
  return is_settled(Waiting::yes);
}

// The program has heard of its failure, and its handle may be another's by now.
bool TransferRequest::leave_behind() {
  left_behind();
  known_ = {{}, MPI_ERR_OTHER};
  return true;
}

bool TransferRequest::is_settled(Waiting waiting) {
  known_ = settle(waiting);
  return known_.has_value();
}

mpi::Outcome TransferRequest::outcome() {
  // Where MPI is still to tell what is wrong.
  if (!known_) static_cast<void>(wait());
  if (held_ && !in_mpi_) release();
  if (free_after_ && !in_mpi_) PMPI_Request_free(&transfer_);
  return *known_;
}

// MPI still holds a transfer whose outcome is known.
void TransferRequest::release() {
  MPI_Request done = transfer_;
  if (known_->code == MPI_SUCCESS || mpi_keeps_) {
    PMPI_Wait(&done, MPI_STATUS_IGNORE);
  } else if (done != MPI_REQUEST_NULL) {
    PMPI_Request_free(&done);
  }
  held_ = false;
}

mpi::Outcome TransferRequest::peek() const {
  if (known_) return *known_;
  int is_moved = 0;
  MPI_Status status{};
  const int code = PMPI_Request_get_status(transfer_, &is_moved, &status);
  return {status, code};
}

// The transfer may have the program's own handle: then it is freed when it is complete, but the
// message must be looked at first.
void TransferRequest::let_go(MPI_Request* handle) {
  const bool same = transfer_ == *handle;
  if (mpi_keeps_ && same) free_after_ = true;
  *handle = MPI_REQUEST_NULL;
}

void TransferRequest::abort() noexcept {
  if (!known_ && !moved_) static_cast<void>(cancel());
}

}  // namespace tightwire::p2p
