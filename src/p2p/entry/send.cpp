#include <array>
#include <limits>
#include <optional>

#include "mpi/buffer.h"
#include "mpi/call.h"
#include "mpi/communicator/route.h"
#include "mpi/datatype/predefined_type.h"
#include "mpi/error.h"
#include "p2p/entry/p2p.h"
#include "p2p/lifecycle.h"
#include "p2p/request/request.h"
#include "p2p/request/request_table.h"
#include "p2p/request/send_request.h"
#include "p2p/state/frame_rules.h"
#include "p2p/state/put_off.h"
#include "p2p/transfer/buffer/receive_buffer.h"
#include "p2p/transfer/framing.h"
#include "p2p/transfer/outgoing.h"

namespace tightwire::p2p {

namespace {

using Send = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
using StartSend = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

// The other chunks are encoded while the first is on its way.
int send_in_chunks(SendRequest& request, const SendCall& call) {
  const int code = request.post_first(call);
  if (code != MPI_SUCCESS) return code;
  const int others = request.follow(call);
  const Sending sending = request.message()->sending();
  const int first = complete(request).code;
  note_sent(sending);
  return others != MPI_SUCCESS ? others : first;
}

// Apart from what small messages pass through, which is so short that it needs no memory.
[[gnu::noinline]] int send_large(Send mpi, StartSend start, const mpi::CallName& name,
                                 const void* buf, int count, MPI_Datatype datatype, int tag,
                                 MPI_Comm comm) {
  const int dest = name.peer;
  return mpi::guarded(name, comm, [&] {
    const SendCall call{start, {buf, count, datatype}, dest, tag, comm, name.function};
    SendRequest request;
    if_memory_allows(call.user, [&] {
      const mpi::Route* route = framing_route(buf, name.bytes, dest, comm);
      if (route != nullptr) request.encode(call, *route);
    });
    if (!request.message()) return mpi(buf, count, datatype, dest, tag, comm);
    if (request.message()->has_more()) return send_in_chunks(request, call);
    const Outgoing::Message message = request.message()->message();
    const int code = mpi(message.address, message.count, message.type, dest, tag, comm);
    if (code != MPI_SUCCESS) return code;
    request.accepted();
    note_sent(request.message()->sending());
    return code;
  });
}

int send_by(Send mpi, StartSend start, const char* function, const void* buf, int count,
            MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  const std::size_t bytes = signature_bytes(datatype, count);
  if (bytes < frame_rules().shortest_frame) return mpi(buf, count, datatype, dest, tag, comm);
  return send_large(mpi, start, {function, bytes, "to", dest}, buf, count, datatype, tag, comm);
}

#ifdef OPEN_MPI
constexpr bool looking_moves_on = false;

// A look at a request that is not complete has Open MPI go over all that waits (paced_look.h),
// unless another of the list is complete. If this one is, MPI gives it up for the other.
bool is_complete_at_once(SendRequest& /*sending*/, MPI_Request* request) {
  std::array<MPI_Request, 2> requests{*request, MPI_REQUEST_NULL};
  PMPI_Isend(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &requests[1]);
  int index = 0;
  int flag = 0;
  PMPI_Testany(2, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
  if (index != 0) return false;
  *request = requests[1];
  return true;
}
#elif defined(TIGHTWIRE_MPI_WAITS_ASLEEP)
constexpr bool looking_moves_on = true;

// Its look would free the handle that the program gets.
bool is_complete_at_once(SendRequest& /*sending*/, MPI_Request* /*request*/) {
  return false;
}
#else
constexpr bool looking_moves_on = true;

bool is_complete_at_once(SendRequest& sending, MPI_Request* /*request*/) {
  return sending.progress(Request::Waiting::no);
}
#endif

// What has begun goes on where the rest has failed: MPI reads from what the send holds.
int post_or_leave(const std::shared_ptr<SendRequest>& sending, const SendCall& call,
                  SendRequest::Handle handle) {
  try {
    const int code = sending->post(call, handle);
    if (code != MPI_SUCCESS) request_table().abandon(sending);
    return code;
  } catch (...) {
    request_table().abandon(sending);
    throw;
  }
}

// Posts a send and keeps it until it is complete, where that is any matter of ours.
int post(std::shared_ptr<SendRequest> sending, const SendCall& call, const mpi::CallName& name,
         MPI_Request* request) {
  const bool is_plain = sending->message()->is_plain();
  const bool own = looking_moves_on && !is_plain && !may_ask_mpi();
  const int code =
      post_or_leave(sending, call, own ? SendRequest::Handle::own : SendRequest::Handle::shared);
  if (code != MPI_SUCCESS) return code;
  *request = sending->transfer();
  // A handle that is shared is no key for a table.
  if (!is_plain && (own || !is_complete_at_once(*sending, request))) {
    request_table().insert(*request, std::move(sending), name, call.comm);
  }
  return MPI_SUCCESS;
}

[[gnu::noinline]] int start_large(StartSend mpi, const mpi::CallName& name, const void* buf,
                                  int count, MPI_Datatype datatype, int tag, MPI_Comm comm,
                                  MPI_Request* request) {
  const int dest = name.peer;
  return mpi::guarded(name, comm, [&]() -> int {
    const SendCall call{mpi, {buf, count, datatype}, dest, tag, comm, name.function};
    std::shared_ptr<SendRequest> sending;
    const bool ready = if_memory_allows(call.user, [&] {
      const mpi::Route* route = framing_route(buf, name.bytes, dest, comm);
      if (route == nullptr) return;
      if (may_ask_mpi()) request_table().reap();
      sending = std::make_shared<SendRequest>();
      sending->encode(call, *route);
    });
    if (!ready || !sending) return mpi(buf, count, datatype, dest, tag, comm, request);
    return post(std::move(sending), call, name, request);
  });
}

int start_by(StartSend mpi, const char* function, const void* buf, int count, MPI_Datatype datatype,
             int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  const std::size_t bytes = signature_bytes(datatype, count);
  if (bytes < frame_rules().shortest_frame)
    return mpi(buf, count, datatype, dest, tag, comm, request);
  return start_large(mpi, {function, bytes, "to", dest}, buf, count, datatype, tag, comm, request);
}

}  // namespace

bool asks_for_values(const void* buf, std::ptrdiff_t count, MPI_Datatype datatype, int dest,
                     MPI_Comm comm) {
  if (!active() || count <= 0 || count > std::numeric_limits<int>::max()) return false;
  if (datatype == MPI_DATATYPE_NULL || !mpi::predefined(datatype)) return false;
  const std::size_t bytes = signature_bytes(datatype, static_cast<int>(count));
  if (bytes < frame_rules().shortest_encoded) return false;
  try {
    return framing_route(buf, bytes, dest, comm) != nullptr;
  } catch (const mpi::MpiError&) {
    return false;  // the send itself will see it, too
  }
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
