#include <mutex>
#include <optional>

#include "mpi/buffer.h"
#include "mpi/call.h"
#include "mpi/communicator/route.h"
#include "mpi/error.h"
#include "mpi/operation.h"
#include "mpi/status.h"
#include "p2p/completion/catch_up.h"
#include "p2p/entry/p2p.h"
#include "p2p/request/receive_request.h"
#include "p2p/request/request.h"
#include "p2p/request/request_table.h"
#include "p2p/state/error_handlers.h"
#include "p2p/state/frame_rules.h"
#include "p2p/transfer/buffer/receive_buffer.h"
#include "p2p/transfer/framing.h"
#include "p2p/transfer/incoming.h"
#include "p2p/transfer/unexpected.h"

namespace tightwire::p2p {

namespace {

// Waits where it began, with no request: the way of every program without threads, but for messages
// that a probe has taken. MPICH calls no error handler of a communicator for its requests.
int receive_at_once(const ReceiveCall& call, MPI_Status* status) {
  Incoming incoming(call.user, ReceiveBuffer::Type::borrowed, *call.route, call.function);
  const Incoming::Place place = incoming.place();
  incoming.asked_for();
  MPI_Status moved{};
  const int code =
      PMPI_Recv(place.address, place.count, place.type, call.source, call.tag, call.comm, &moved);
  if (code != MPI_SUCCESS) {
    mpi::give(moved, status);
    return code;
  }
  const mpi::Outcome outcome = incoming.finish(moved);
  mpi::give(outcome.status, status);
  return outcome.code;
}

bool is_taken(const ReceiveCall& call) {
  if (!unexpected().any()) return false;
  const std::scoped_lock lock(unexpected().matching());
  return unexpected().match(*call.route, call.source, call.tag) != nullptr;
}

// Too short for a frame: MPI's alone, unless its message was taken in.
std::optional<int> start_short(const ReceiveCall& call, std::size_t bytes, MPI_Request& request) {
  const mpi::Buffer& user = call.user;
  return post_short(call, bytes, [&] {
    return PMPI_Irecv(user.address, static_cast<int>(user.count), user.datatype, call.source,
                      call.tag, call.comm, &request);
  });
}

// The same as a persistent request, whose failure calls the communicator's handler.
std::optional<int> start_short_on_comm(const ReceiveCall& call, std::size_t bytes,
                                       MPI_Request& request) {
  const mpi::Buffer& user = call.user;
  return post_short(call, bytes, [&] {
    const int code = PMPI_Recv_init(user.address, static_cast<int>(user.count), user.datatype,
                                    call.source, call.tag, call.comm, &request);
    return code == MPI_SUCCESS ? PMPI_Start(&request) : code;
  });
}

// Nothing where it is no matter of MPI's alone.
std::optional<int> receive_short(const ReceiveCall& call, std::size_t bytes, MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  const bool on_comm = requests_fail_elsewhere();
  const auto posted =
      on_comm ? start_short_on_comm(call, bytes, request) : start_short(call, bytes, request);
  if (!posted || *posted != MPI_SUCCESS) return posted;
  const int code = PMPI_Wait(&request, status);
  if (request != MPI_REQUEST_NULL) PMPI_Request_free(&request);
  return code;
}

int receive(const ReceiveCall& call, std::size_t bytes, MPI_Status* status) {
  if (!frame_rules().multithreaded && !is_taken(call)) return receive_at_once(call, status);
  if (const auto received = receive_short(call, bytes, status)) return *received;
  std::shared_ptr<ReceiveRequest> request;
  const int code = start_receive(request, call);
  if (code != MPI_SUCCESS) return code;
  const mpi::Outcome outcome = complete(*request);
  mpi::give(outcome.status, status);
  return outcome.code;
}

// Of what a small message does not pass through.
[[gnu::noinline]] int receive_watched(const mpi::CallName& name, void* buf, int count,
                                      MPI_Datatype datatype, int tag, MPI_Comm comm,
                                      MPI_Status* status) {
  const int source = name.peer;
  return mpi::guarded(name, comm, [&] {
    const mpi::Route* route = watched_route(buf, name.bytes, source, tag, comm);
    const ReceiveCall call{{buf, count, datatype}, route, source, tag, comm, name.function, true};
    const int code = route == nullptr ? PMPI_Recv(buf, count, datatype, source, tag, comm, status)
                                      : receive(call, name.bytes, status);
    return caught_up(code);
  });
}

[[gnu::noinline]] int start_watched(const mpi::CallName& name, void* buf, int count,
                                    MPI_Datatype datatype, int tag, MPI_Comm comm,
                                    MPI_Request* request) {
  const int source = name.peer;
  return mpi::guarded(name, comm, [&]() -> int {
    const mpi::Route* route = watched_route(buf, name.bytes, source, tag, comm);
    if (route == nullptr) return PMPI_Irecv(buf, count, datatype, source, tag, comm, request);
    const ReceiveCall call{{buf, count, datatype}, route, source, tag, comm, name.function};
    if (const auto posted = start_short(call, name.bytes, *request)) return *posted;
    std::shared_ptr<ReceiveRequest> receiving;
    const int code = start_receive(receiving, call);
    if (code != MPI_SUCCESS) return code;
    *request = receiving->transfer();
    request_table().insert(*request, std::move(receiving), name, comm);
    return MPI_SUCCESS;
  });
}

}  // namespace

int recv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
         MPI_Status* status) {
  const std::size_t bytes = signature_bytes(datatype, count);
  if (!may_need_watching(buf, bytes)) {
    return caught_up(PMPI_Recv(buf, count, datatype, source, tag, comm, status));
  }
  return receive_watched({"MPI_Recv", bytes, "from", source}, buf, count, datatype, tag, comm,
                         status);
}

int irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
          MPI_Request* request) {
  const std::size_t bytes = signature_bytes(datatype, count);
  if (!may_need_watching(buf, bytes)) {
    return PMPI_Irecv(buf, count, datatype, source, tag, comm, request);
  }
  return start_watched({"MPI_Irecv", bytes, "from", source}, buf, count, datatype, tag, comm,
                       request);
}

}  // namespace tightwire::p2p
