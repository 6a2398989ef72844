// Persistent requests: the handle is MPI's own, made with the program's arguments; each start of
// one that is ours begins a transfer as the call without persistence would.
#include "mpi/call.h"
#include "p2p/engine.h"
#include "p2p/entry/p2p.h"
#include "p2p/entry/receiving.h"
#include "p2p/entry/sending.h"
#include "p2p/request/completion.h"

namespace tightwire::p2p {

using mpi::Buffer;
using mpi::CallName;
using mpi::guarded;

namespace {

using MakeSend = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

// The program may free a derived datatype that a persistent request still needs.
struct Kept {
  ReceiveBuffer landing;
  std::shared_ptr<const mpi::Route> route;
};

std::shared_ptr<Kept> keep(const mpi::Buffer& user, const mpi::Route& route) {
  return std::make_shared<Kept>(
      Kept{ReceiveBuffer(user, ReceiveBuffer::Type::kept), route.shared_from_this()});
}

void remember(MPI_Request handle, std::function<int(Request&)> start, const mpi::CallName& name,
              MPI_Comm comm) {
  auto request = std::make_unique<Request>();
  request->start = std::move(start);
  request->active = false;
  engine().requests.insert(handle, std::move(request), name, comm);
}

int init_by(MakeSend make, MakeSend mpi, const char* function, const void* buf, int count,
            MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  const mpi::CallName name{function, signature_bytes(datatype, count), "to", dest};
  return mpi::guarded(name, comm, [&] {
    const int code = make(buf, count, datatype, dest, tag, comm, request);
    const mpi::Route* route = code == MPI_SUCCESS ? framing_route(name.bytes, dest, comm) : nullptr;
    if (route == nullptr) return code;
    const auto start = [mpi, dest, tag, comm,
                        kept = keep({const_cast<void*>(buf), count, datatype}, *route)](
                           Request& sending) {
      return begin(sending,
                   {mpi, kept->landing.buffer(), kept->route.get(), dest, tag, comm, "MPI_Start"});
    };
    remember(*request, start, name, comm);
    return code;
  });
}

}  // namespace

int send_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return init_by(&PMPI_Send_init, &PMPI_Isend, "MPI_Send_init", buf, count, datatype, dest, tag,
                 comm, request);
}

int ssend_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return init_by(&PMPI_Ssend_init, &PMPI_Issend, "MPI_Ssend_init", buf, count, datatype, dest, tag,
                 comm, request);
}

int bsend_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return init_by(&PMPI_Bsend_init, &PMPI_Ibsend, "MPI_Bsend_init", buf, count, datatype, dest, tag,
                 comm, request);
}

int rsend_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return init_by(&PMPI_Rsend_init, &PMPI_Irsend, "MPI_Rsend_init", buf, count, datatype, dest, tag,
                 comm, request);
}

// All that could cross are remembered, the small too: by the time of a start, the message may have
// been taken in.
int recv_init(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const mpi::CallName name{"MPI_Recv_init", signature_bytes(datatype, count), "from", source};
  return mpi::guarded(name, comm, [&] {
    const int code = PMPI_Recv_init(buf, count, datatype, source, tag, comm, request);
    const mpi::Route* route = code == MPI_SUCCESS ? mpi::route_of(comm) : nullptr;
    if (route == nullptr || !route->may_cross(source)) return code;
    const auto start = [source, tag, comm, handle = *request,
                        kept = keep({buf, count, datatype}, *route)](Request& receiving) {
      return begin(receiving,
                   {kept->landing.buffer(), kept->route.get(), source, tag, comm, "MPI_Start"},
                   handle);
    };
    remember(*request, start, name, comm);
    return code;
  });
}

int start_request(MPI_Request* handle) {
  Request* request = engine().requests.any() ? engine().requests.find(*handle) : nullptr;
  if (request == nullptr || !request->persistent()) return PMPI_Start(handle);
  return completing("MPI_Start", [&] {
    const int code = request->start(*request);
    request->active = code == MPI_SUCCESS;
    return code;
  });
}

int startall(int count, MPI_Request handles[]) {
  if (!engine().requests.any()) return PMPI_Startall(count, handles);
  for (int i = 0; i < count; ++i) {
    if (const int code = start_request(&handles[i]); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

}  // namespace tightwire::p2p
