#include <optional>

#include "mpi/call.h"
#include "p2p/engine.h"
#include "p2p/entry/p2p.h"
#include "p2p/entry/sending.h"
#include "wire/trailer.h"

namespace tightwire::p2p {

using mpi::Buffer;
using mpi::CallName;
using mpi::guarded;

const mpi::Route* framing_route(std::size_t bytes, int peer, MPI_Comm comm) {
  if (bytes < engine().threshold || peer < 0) return nullptr;
  const mpi::Route* route = mpi::route_of(comm);
  return route != nullptr && route->across(peer) ? route : nullptr;
}

namespace {

using Send = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
using StartSend = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

// Runs `body`, which makes a message ready, and tells whether there was memory for that. Where
// there was not the message goes as it came, unless it would be taken for a frame: then throws
// std::bad_alloc.
template <class Body>
bool prepared(const mpi::Buffer& user, Body&& body) {
  try {
    body();
    return true;
  } catch (const std::bad_alloc&) {
    if (wire::looks_framed(SendBuffer(user).ends<wire::lead_size>())) throw;
    return false;
  }
}

// The receiver waits for the rest: without memory for it the job ends.
int follow(Outgoing& out, const mpi::CallName& name, MPI_Comm comm) {
  return mpi::guarded(name, comm, [&] {
    out.follow();
    return MPI_SUCCESS;
  });
}

// The rest is coded while the first chunk is on its way.
int send_in_chunks(StartSend start, Outgoing& out, const mpi::CallName& name, int tag,
                   MPI_Comm comm) {
  const auto [address, count, type] = out.message();
  MPI_Request first = MPI_REQUEST_NULL;
  const int code = start(address, count, type, name.peer, tag, comm, &first);
  if (code != MPI_SUCCESS) return code;
  const int rest = follow(out, name, comm);
  const int lead = PMPI_Wait(&first, MPI_STATUS_IGNORE);
  return rest != MPI_SUCCESS ? rest : lead;
}

int send_by(Send mpi, StartSend start, const char* function, const void* buf, int count,
            MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  const mpi::CallName name{function, signature_bytes(datatype, count), "to", dest};
  if (name.bytes < engine().threshold) return mpi(buf, count, datatype, dest, tag, comm);
  return mpi::guarded(name, comm, [&] {
    const mpi::Buffer user{buf, count, datatype};
    std::optional<Outgoing> out;
    prepared(user, [&] {
      const mpi::Route* route = framing_route(name.bytes, dest, comm);
      if (route != nullptr) out.emplace(user, *route, dest);
    });
    if (!out) return mpi(buf, count, datatype, dest, tag, comm);
    if (out->has_more()) return send_in_chunks(start, *out, name, tag, comm);
    const auto message = out->message();
    return mpi(message.address, message.count, message.type, dest, tag, comm);
  });
}

// Hands what has been made ready to MPI; of what has not, the program's buffer.
int post(Request& request, const Sending& sending) {
  const auto& [mpi, user, route, destination, tag, comm, call] = sending;
  const auto [address, count, type] =
      request.outgoing
          ? request.outgoing->message()
          : Outgoing::Message{user.address, static_cast<int>(user.count), user.datatype};
  const int code = mpi(address, count, type, destination, tag, comm, &request.transfer);
  if (code != MPI_SUCCESS || !request.outgoing || !request.outgoing->has_more()) return code;
  return follow(*request.outgoing, {call, user.bytes(), "to", destination}, comm);
}

int start_by(StartSend mpi, const char* function, const void* buf, int count, MPI_Datatype datatype,
             int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  const mpi::CallName name{function, signature_bytes(datatype, count), "to", dest};
  if (name.bytes < engine().threshold) return mpi(buf, count, datatype, dest, tag, comm, request);
  return mpi::guarded(name, comm, [&]() -> int {
    const mpi::Buffer user{buf, count, datatype};
    const mpi::Route* route = nullptr;
    std::unique_ptr<Request> sending;
    const bool ready = prepared(user, [&] {
      route = framing_route(name.bytes, dest, comm);
      if (route == nullptr) return;
      engine().requests.reap();
      sending = std::make_unique<Request>();
      sending->outgoing.emplace(user, *route, dest);
    });
    if (!ready || !sending) return mpi(buf, count, datatype, dest, tag, comm, request);
    const int code = post(*sending, {mpi, user, route, dest, tag, comm, function});
    if (code != MPI_SUCCESS) return code;
    *request = sending->transfer;
    if (sending->outgoing->is_plain()) return MPI_SUCCESS;
    // MPICH gives all sends that are complete at once one and the same handle, no key for a table.
    if (!sending->poll()) engine().requests.insert(*request, std::move(sending), name, comm);
    return MPI_SUCCESS;
  });
}

}  // namespace

int begin(Request& request, const Sending& sending) {
  engine().requests.reap();
  request.outgoing.reset();
  prepared(sending.user,
           [&] { request.outgoing.emplace(sending.user, *sending.route, sending.destination); });
  return post(request, sending);
}

int send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send_by(&PMPI_Send, &PMPI_Isend, "MPI_Send", buf, count, datatype, dest, tag, comm);
}

int ssend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send_by(&PMPI_Ssend, &PMPI_Issend, "MPI_Ssend", buf, count, datatype, dest, tag, comm);
}

int bsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send_by(&PMPI_Bsend, &PMPI_Ibsend, "MPI_Bsend", buf, count, datatype, dest, tag, comm);
}

int rsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return send_by(&PMPI_Rsend, &PMPI_Irsend, "MPI_Rsend", buf, count, datatype, dest, tag, comm);
}

int isend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
          MPI_Request* request) {
  return start_by(&PMPI_Isend, "MPI_Isend", buf, count, datatype, dest, tag, comm, request);
}

int issend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request* request) {
  return start_by(&PMPI_Issend, "MPI_Issend", buf, count, datatype, dest, tag, comm, request);
}

int ibsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request* request) {
  return start_by(&PMPI_Ibsend, "MPI_Ibsend", buf, count, datatype, dest, tag, comm, request);
}

int irsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request* request) {
  return start_by(&PMPI_Irsend, "MPI_Irsend", buf, count, datatype, dest, tag, comm, request);
}

}  // namespace tightwire::p2p
