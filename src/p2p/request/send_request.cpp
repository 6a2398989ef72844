#include "p2p/request/send_request.h"

#include "mpi/call.h"

namespace tightwire::p2p {

void SendRequest::encode(const SendCall& call, const mpi::Route& route) {
  const bool synchronous = call.mpi == &PMPI_Issend;
  const SendMode mode = synchronous ? SendMode::synchronous : SendMode::standard;
  outgoing_.emplace(call.user, route, Envelope{call.destination, call.tag, mode});
}

void SendRequest::encode_if_possible(const SendCall& call, const mpi::Route& route) {
  if_memory_allows(call.user, [&] { encode(call, route); });
}

namespace {

// Persistent requests are not shared.
int make_persistent(const SendCall& call, const Outgoing::Message& message, MPI_Request& request) {
  const auto init = call.mpi == &PMPI_Issend   ? &PMPI_Ssend_init
                    : call.mpi == &PMPI_Ibsend ? &PMPI_Bsend_init
                    : call.mpi == &PMPI_Irsend ? &PMPI_Rsend_init
                                               : &PMPI_Send_init;
  return init(message.address, message.count, message.type, call.destination, call.tag, call.comm,
              &request);
}

}  // namespace

int SendRequest::post_first(const SendCall& call, Handle handle) {
  const Outgoing::Message message =
      outgoing_ ? outgoing_->message()
                : Outgoing::Message{call.user.address, static_cast<int>(call.user.count),
                                    call.user.datatype};
  int code = MPI_SUCCESS;
  if (handle == Handle::own) {
    MPI_Request made = MPI_REQUEST_NULL;
    code = make_persistent(call, message, made);
    if (code == MPI_SUCCESS) code = start_own(made);
  } else {
    code = call.mpi(message.address, message.count, message.type, call.destination, call.tag,
                    call.comm, &transfer());
  }
  if (outgoing_ && code == MPI_SUCCESS) outgoing_->accepted();
  return code;
}

int SendRequest::follow(const SendCall& call) {
  if (!outgoing_ || !outgoing_->has_more()) return MPI_SUCCESS;
  return mpi::guarded({call.function, call.user.bytes(), "to", call.destination}, call.comm, [&] {
    outgoing_->follow();
    return MPI_SUCCESS;
  });
}

int SendRequest::post_rest(const SendCall& call) {
  const int code = follow(call);
  if (outgoing_) note_sent(outgoing_->sending());
  return code;
}

int SendRequest::post(const SendCall& call, Handle handle) {
  const int code = post_first(call, handle);
  return code == MPI_SUCCESS ? post_rest(call) : code;
}

void SendRequest::moved(const MPI_Status& status) {
  outgoing_.reset();
  copy_ = {};
  TransferRequest::moved(status);
}

}  // namespace tightwire::p2p
