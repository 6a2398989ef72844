#include "p2p/request/persistent_request.h"

#include <memory>
#include <utility>

#include "mpi/communicator/route.h"
#include "mpi/operation.h"
#include "p2p/request/request_table.h"
#include "p2p/state/put_off.h"

namespace tightwire::p2p {

int PersistentRequest::start() {
  const int code = begin_transfer();
  active_ = code == MPI_SUCCESS && !left_to_mpi();
  return code;
}

mpi::Outcome PersistentRequest::outcome() {
  mpi::Outcome outcome = end_transfer();
  active_ = false;
  return outcome;
}

void PersistentTransfer::let_go(MPI_Request* handle) {
  MPI_Request inactive = *handle;
  const bool started = current().transfer() == inactive;
  current().let_go(handle);
  if (!started) PMPI_Request_free(&inactive);
}

PersistentSend::PersistentSend(const SendCall& call, const mpi::Route& route)
    : PersistentTransfer(call.user, route), call_(call) {
  call_.user = user();
  call_.function = "MPI_Start";
}

int PersistentSend::begin_transfer() {
  if (may_ask_mpi()) request_table().reap();
  current_ = std::make_shared<SendRequest>();
  current_->encode_if_possible(call_, route());
  try {
    const int code = current_->post(call_);
    if (code != MPI_SUCCESS) request_table().abandon(current_);
    return code;
  } catch (...) {
    // What has begun goes on: MPI reads from what the send holds.
    request_table().abandon(current_);
    throw;
  }
}

mpi::Outcome PersistentSend::end_transfer() {
  const mpi::Outcome outcome = current_->outcome();
  current_.reset();
  return outcome;
}

PersistentReceive::PersistentReceive(const ReceiveCall& call, MPI_Request handle)
    : PersistentTransfer(call.user, *call.route), call_(call), handle_(handle) {
  call_.user = user();
  call_.function = "MPI_Start";
  call_.fails_on_comm = true;
}

// No frame is so short: unless its message has been taken in, this start is MPI's alone.
int PersistentReceive::begin_transfer() {
  const auto start = [this] { return PMPI_Start(&handle_); };
  const auto code = post_short(call_, bytes(), start);
  left_to_mpi_ = code.has_value();
  return code ? *code : start_receive(current_, call_, handle_);
}

mpi::Outcome PersistentReceive::end_transfer() {
  const mpi::Outcome outcome = current_->outcome();
  current_.reset();
  return outcome;
}

}  // namespace tightwire::p2p
