// MPI_Send_init and its relatives, MPI_Recv_init, MPI_Start, MPI_Startall.
#include "mpi/buffer.h"
#include "mpi/call.h"
#include "mpi/communicator/route.h"
#include "mpi/datatype/predefined_type.h"
#include "mpi/error.h"
#include "p2p/completion/completion.h"
#include "p2p/completion/request_list.h"
#include "p2p/entry/p2p.h"
#include "p2p/request/persistent_request.h"
#include "p2p/request/receive_request.h"
#include "p2p/request/request.h"
#include "p2p/request/request_table.h"
#include "p2p/request/send_request.h"
#include "p2p/request/short_receives.h"
#include "p2p/state/frame_rules.h"
#include "p2p/transfer/buffer/posted_buffers.h"
#include "p2p/transfer/buffer/receive_buffer.h"
#include "p2p/transfer/framing.h"
#include "p2p/transfer/unexpected.h"

namespace tightwire::p2p {

namespace {

using MakeSend = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

int init_by(MakeSend make, MakeSend mpi, const char* function, const void* buf, int count,
            MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  const mpi::CallName name{function, signature_bytes(datatype, count), "to", dest};
  return mpi::guarded(name, comm, [&] {
    const int code = make(buf, count, datatype, dest, tag, comm, request);
    const mpi::Route* route =
        code == MPI_SUCCESS ? framing_route(buf, name.bytes, dest, comm) : nullptr;
    if (route == nullptr) return code;
    const SendCall call{mpi, {buf, count, datatype}, dest, tag, comm, function};
    request_table().insert(*request, std::make_shared<PersistentSend>(call, *route), name, comm);
    return code;
  });
}

PersistentReceive* insert_receive(const ReceiveCall& call, const mpi::CallName& name,
                                  MPI_Request handle) {
  auto receive = std::make_shared<PersistentReceive>(call, handle);
  PersistentReceive* const inserted = receive.get();
  request_table().insert(handle, std::move(receive), name, call.comm);
  return inserted;
}

// All that could cross are remembered, the small too: by the time of a start, the message may have
// been taken in.
void keep(const ReceiveCall& call, const mpi::CallName& name, MPI_Request handle) {
  if (name.bytes < frame_rules().shortest_frame && mpi::predefined(call.user.datatype)) {
    short_receives().insert(handle, call, name);
  } else {
    static_cast<void>(insert_receive(call, name, handle));
  }
}

// As mpi::guarded(). Nothing is made up for that was put off: a program that starts its receives
// starts its sends next (state/put_off.h).
template <class Body>
int starting(Body&& body) {
  return mpi::guarded({"MPI_Start"}, MPI_COMM_WORLD, body);
}

// Whether no receive too short for a frame needs a look before it starts.
bool short_ones_are_mpis() {
  if (!short_receives().any()) return true;
  return !frame_rules().multithreaded && !unexpected().any() && !posted_buffers().any();
}

// A receive too short for a frame becomes one of ours where MPI cannot start it alone.
int start_short(const ShortReceives::Kept& kept, MPI_Request* handle) {
  const auto posted = post_short(kept.call, kept.bytes, [&] { return PMPI_Start(handle); });
  if (posted) return *posted;
  const mpi::CallName name{"MPI_Start", kept.bytes, "from", kept.call.source};
  PersistentReceive* const receive = insert_receive(kept.call, name, *handle);
  short_receives().erase(*handle);
  return receive->start();
}

int start_mpis(MPI_Request* handle) {
  if (short_ones_are_mpis()) return PMPI_Start(handle);
  return starting([&] {
    const auto kept = short_receives().find(*handle);
    return kept ? start_short(*kept, handle) : PMPI_Start(handle);
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

int recv_init(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const mpi::CallName name{"MPI_Recv_init", signature_bytes(datatype, count), "from", source};
  return mpi::guarded(name, comm, [&] {
    const int code = PMPI_Recv_init(buf, count, datatype, source, tag, comm, request);
    const mpi::Route* route = code == MPI_SUCCESS ? crossing_route(source, tag, comm) : nullptr;
    if (route == nullptr) return code;
    keep({{buf, count, datatype}, route, source, tag, comm, name.function}, name, *request);
    return code;
  });
}

int start_request(MPI_Request* handle) {
  Request* request = find_request(*handle);
  if (request == nullptr) return start_mpis(handle);
  PersistentRequest* persistent = request->persistent();
  if (persistent == nullptr) return PMPI_Start(handle);
  return starting([&] { return persistent->start(); });
}

int startall(int count, MPI_Request handles[]) {
  if (has_none_of_ours(count) && short_ones_are_mpis()) return PMPI_Startall(count, handles);
  for (int i = 0; i < count; ++i) {
    if (const int code = start_request(&handles[i]); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

}  // namespace tightwire::p2p
