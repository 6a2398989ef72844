#include "mpi/call.h"
#include "mpi/status.h"
#include "p2p/engine.h"
#include "p2p/entry/p2p.h"
#include "p2p/entry/receiving.h"

namespace tightwire::p2p {

using mpi::Buffer;
using mpi::CallName;
using mpi::guarded;

namespace {

// Other receives go straight to MPI. A frame is too long for a small one, as its message is.
bool needs_care(std::size_t bytes) {
  return bytes >= engine().threshold || engine().threads || engine().unexpected.any();
}

// Waits where it began, with no request: the way of every program without threads and probes.
int receive_at_once(const Receiving& receiving, MPI_Status* status) {
  const mpi::Buffer& user = receiving.user;
  Incoming incoming(user, ReceiveBuffer::Type::borrowed, *receiving.route, receiving.call);
  const Incoming::Place place = incoming.place();
  MPI_Status lead{};
  const int code = PMPI_Recv(place.address, place.count, place.type, receiving.source,
                             receiving.tag, receiving.comm, &lead);
  if (code != MPI_SUCCESS) {
    mpi::give(lead, status);
    return code;
  }
  const mpi::Outcome outcome = incoming.finish(lead);
  mpi::give(outcome.status, status);
  return outcome.code;
}

int receive(const Receiving& receiving, MPI_Status* status) {
  if (!engine().threads && !engine().unexpected.any()) return receive_at_once(receiving, status);
  Request request;
  const int code = begin(request, receiving);
  if (code != MPI_SUCCESS) return code;
  const mpi::Outcome outcome = request.wait();
  mpi::give(outcome.status, status);
  return outcome.code;
}

}  // namespace

const mpi::Route* watched_route(std::size_t bytes, int source, MPI_Comm comm) {
  if (!needs_care(bytes)) return nullptr;
  const mpi::Route* route = mpi::route_of(comm);
  return route != nullptr && route->may_cross(source) ? route : nullptr;
}

int check_receive(const mpi::Buffer& user, MPI_Comm comm) {
  MPI_Request unused = MPI_REQUEST_NULL;
  const int code = PMPI_Recv_init(user.address, static_cast<int>(user.count), user.datatype,
                                  MPI_PROC_NULL, 0, comm, &unused);
  return code == MPI_SUCCESS ? PMPI_Request_free(&unused) : code;
}

int begin(Request& request, const Receiving& receiving, MPI_Request posted) {
  Unexpected& unexpected = engine().unexpected;
  std::unique_lock<std::mutex> lock;
  const Taken* found = nullptr;
  if (engine().threads || unexpected.any()) {
    lock = std::unique_lock(unexpected.matching());
    found = unexpected.match(*receiving.route, receiving.source, receiving.tag);
  }
  if (found != nullptr) {
    const int code = check_receive(receiving.user, receiving.comm);
    if (code != MPI_SUCCESS) return code;
  }
  Incoming& incoming = request.incoming.emplace(receiving.user, ReceiveBuffer::Type::kept,
                                                *receiving.route, receiving.call);
  if (found != nullptr) {
    Taken taken = unexpected.remove(found);
    request.transfer = taken.transfer;
    incoming.take(std::move(taken.memory));
    return MPI_SUCCESS;
  }
  if (posted != MPI_REQUEST_NULL && incoming.as_named()) {
    request.transfer = posted;
    return PMPI_Start(&request.transfer);
  }
  const Incoming::Place place = incoming.place();
  return PMPI_Irecv(place.address, place.count, place.type, receiving.source, receiving.tag,
                    receiving.comm, &request.transfer);
}

int recv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
         MPI_Status* status) {
  const mpi::CallName name{"MPI_Recv", signature_bytes(datatype, count), "from", source};
  if (!needs_care(name.bytes)) {
    return PMPI_Recv(buf, count, datatype, source, tag, comm, status);
  }
  return mpi::guarded(name, comm, [&] {
    const mpi::Route* route = watched_route(name.bytes, source, comm);
    if (route == nullptr) return PMPI_Recv(buf, count, datatype, source, tag, comm, status);
    return receive({{buf, count, datatype}, route, source, tag, comm, name.function}, status);
  });
}

int irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
          MPI_Request* request) {
  const mpi::CallName name{"MPI_Irecv", signature_bytes(datatype, count), "from", source};
  if (!needs_care(name.bytes)) {
    return PMPI_Irecv(buf, count, datatype, source, tag, comm, request);
  }
  return mpi::guarded(name, comm, [&]() -> int {
    const mpi::Route* route = watched_route(name.bytes, source, comm);
    if (route == nullptr) return PMPI_Irecv(buf, count, datatype, source, tag, comm, request);
    auto receiving = std::make_unique<Request>();
    const int code =
        begin(*receiving, {{buf, count, datatype}, route, source, tag, comm, name.function});
    if (code != MPI_SUCCESS) return code;
    *request = receiving->transfer;
    engine().requests.insert(*request, std::move(receiving), name, comm);
    return MPI_SUCCESS;
  });
}

}  // namespace tightwire::p2p
