// MPI_Sendrecv and its relatives: a receive and a send that go on together.
#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "mpi/buffer.h"
#include "mpi/buffer_pool.h"
#include "mpi/call.h"
#include "mpi/communicator/route.h"
#include "mpi/datatype/byte_segments.h"
#include "mpi/datatype/pack.h"
#include "mpi/device/device_copy.h"
#include "mpi/device/memory_space.h"
#include "mpi/error.h"
#include "p2p/completion/catch_up.h"
#include "p2p/entry/p2p.h"
#include "p2p/request/receive_request.h"
#include "p2p/request/request.h"
#include "p2p/request/request_table.h"
#include "p2p/request/send_request.h"
#include "p2p/request/sendrecv_request.h"
#include "p2p/request/transfer_request.h"
#include "p2p/state/error_handlers.h"
#include "p2p/state/expected_bytes.h"
#include "p2p/state/frame_rules.h"
#include "p2p/state/message_pool.h"
#include "p2p/transfer/framing.h"
#include "p2p/transfer/receive_buffer.h"

namespace tightwire::p2p {

// NOLINTNEXTLINE(misc-unused-using-decls): clang-tidy overlooks its uses below

namespace {

// Neither way could a frame be met: the call is passed through unmodified.
bool untouched(std::size_t send_bytes, const void* receive_buffer, std::size_t receive_bytes) {
  return send_bytes < frame_rules().shortest_frame &&
         !may_need_watching(receive_buffer, receive_bytes);
}

// What is sent must not change while the other's message is received. `segments` are to be kept
// until then.
mpi::Buffer copy(const mpi::Buffer& user, std::span<std::byte> memory,
                 mpi::ByteSegments& segments) {
  if (mpi::predefined(user.datatype)) {
    const bool on_device = mpi::memory_space_of(user.address) == mpi::MemorySpace::device;
    if (on_device) {
      mpi::copy_from_device(memory, user.address);
    } else {
      std::memcpy(memory.data(), user.host(), memory.size());
    }
    return {memory.data(), user.count, user.datatype};
  }
  pack(user, memory);
  segments = mpi::ByteSegments(memory);
  return {segments.address(), segments.count(), segments.type()};
}

struct Both {
  mpi::Buffer sent;
  int destination;
  int send_tag;
  mpi::Buffer received;
  int source;
  int receive_tag;
  MPI_Comm comm;
};

// MPI's complaint of either half before the other is posted: the error handler may jump, and a
// receive left behind would take a message of the program's. MPI checks calls with nobody as
// others.
int check_both(const Both& both) {
  const mpi::Buffer& out = both.sent;
  const mpi::Buffer& in = both.received;
  int size = 0;
  PMPI_Comm_size(both.comm, &size);  // no intercommunicator has a route
  const auto nobody = [&](int peer) { return peer >= 0 && peer < size ? MPI_PROC_NULL : peer; };
  const int source = both.source == MPI_ANY_SOURCE ? MPI_PROC_NULL : nobody(both.source);
  return PMPI_Sendrecv(out.address, static_cast<int>(out.count), out.datatype,
                       nobody(both.destination), both.send_tag, in.address,
                       static_cast<int>(in.count), in.datatype, source, both.receive_tag, both.comm,
                       MPI_STATUS_IGNORE);
}

// Nothing is received, but the program is told so. MPICH 4.0 loses the status of a non-blocking
// receive from nobody.
int send_only(const Both& both, MPI_Status* status) {
  const mpi::Buffer& out = both.sent;
  const mpi::Buffer& in = both.received;
  const int sent = send(out.address, static_cast<int>(out.count), out.datatype, both.destination,
                        both.send_tag, both.comm);
  const int received = PMPI_Recv(in.address, static_cast<int>(in.count), in.datatype, both.source,
                                 both.receive_tag, both.comm, status);
  return sent != MPI_SUCCESS ? sent : received;
}

SendCall send_call(const Both& both, const char* function) {
  return {&PMPI_Isend, both.sent, both.destination, both.send_tag, both.comm, function};
}

// Encodes the message and announces it. The receive comes after that: MPI would grant what the
// other side has announced for it before ours (state/expected_bytes.h). But what the receive will
// take counts. Returns MPI's code.
int announce(SendRequest& sending, const Both& both, const SendCall& call) {
  const Expected expected(both.received.bytes());
  const mpi::Buffer& user = call.user;
  if (const auto* route = framing_route(user.address, user.bytes(), both.destination, both.comm)) {
    sending.encode_if_possible(call, *route);
  }
  return sending.post_first(call);
}

int first_failure(std::initializer_list<int> codes) {
  const auto* const found =
      std::ranges::find_if(codes, [](int code) { return code != MPI_SUCCESS; });
  return found == codes.end() ? MPI_SUCCESS : *found;
}

// By a receive that waits itself: as a request it would call another error handler.
int send_then_receive(const Both& both, MPI_Status* status) {
  const mpi::Buffer& in = both.received;
  SendRequest sending;
  const SendCall call = send_call(both, "MPI_Sendrecv");
  int code = announce(sending, both, call);
  if (code != MPI_SUCCESS) return code;
  code = sending.post_rest(call);
  const int received = recv(in.address, static_cast<int>(in.count), in.datatype, both.source,
                            both.receive_tag, both.comm, status);
  return first_failure({received, code, complete(sending).code});
}

int send_and_receive(const Both& both, MPI_Status* status) {
  int code = check_both(both);
  if (code != MPI_SUCCESS) return code;
  if (requests_fail_elsewhere()) return send_then_receive(both, status);
  const mpi::Buffer& in = both.received;
  SendRequest sending;
  const SendCall call = send_call(both, "MPI_Sendrecv");
  code = announce(sending, both, call);
  if (code != MPI_SUCCESS) return code;
  MPI_Request receiving = MPI_REQUEST_NULL;
  int received = irecv(in.address, static_cast<int>(in.count), in.datatype, both.source,
                       both.receive_tag, both.comm, &receiving);
  code = sending.post_rest(call);
  if (received == MPI_SUCCESS) received = wait(&receiving, status);
  return first_failure({received, code, complete(sending).code});
}

#if MPI_VERSION >= 4

bool is_ours(const Both& both) {
  const mpi::Route* route = mpi::route_of(both.comm);
  return route != nullptr && (route->may_cross(both.source) || route->across(both.destination));
}

// Returns MPI's code.
int begin_receive(std::shared_ptr<TransferRequest>& request, const Both& both, const char* call) {
  const mpi::Buffer& user = both.received;
  if (const auto* route =
          watched_route(user.address, user.bytes(), both.source, both.receive_tag, both.comm)) {
    std::shared_ptr<ReceiveRequest> receiving;
    const int code =
        start_receive(receiving, {user, route, both.source, both.receive_tag, both.comm, call});
    request = std::move(receiving);
    return code;
  }
  request = std::make_shared<TransferRequest>();
  return PMPI_Irecv(user.address, static_cast<int>(user.count), user.datatype, both.source,
                    both.receive_tag, both.comm, &request->transfer());
}

// What has begun goes on where the rest has failed: MPI reads from what the send holds, and may
// write to the receive's memory.
void leave(const std::shared_ptr<SendRequest>& sending,
           const std::shared_ptr<TransferRequest>& receiving) {
  request_table().abandon(sending);
  if (receiving == nullptr || receiving->transfer() == MPI_REQUEST_NULL) return;
  receiving->abort();
  request_table().abandon(receiving);
}

// Returns MPI's code; what it throws leaves nothing that MPI works on without its memory.
int post_rest_or_leave(const std::shared_ptr<SendRequest>& sending,
                       const std::shared_ptr<TransferRequest>& receiving, const SendCall& call) {
  try {
    const int code = sending->post_rest(call);
    if (code != MPI_SUCCESS) leave(sending, receiving);
    return code;
  } catch (...) {
    leave(sending, receiving);
    throw;
  }
}

// Not one for both where nothing is received: MPICH has one handle for all such receives.
int begin_send_only(const Both& both, mpi::BufferPool::Lease copy, const mpi::CallName& name,
                    MPI_Request* handle) {
  const auto request = std::make_shared<SendRequest>();
  const SendCall call = send_call(both, name.function);
  if (const int code = announce(*request, both, call); code != MPI_SUCCESS) return code;
  request->keep(std::move(copy));
  if (const int code = post_rest_or_leave(request, nullptr, call); code != MPI_SUCCESS) return code;
  *handle = request->transfer();
  if (!request->progress(Request::Waiting::no)) {
    request_table().insert(*handle, request, name, both.comm);
  }
  return MPI_SUCCESS;
}

// MPI's codes are returned: the error handler has been called.
int begin(const Both& both, mpi::BufferPool::Lease copy, const mpi::CallName& name,
          MPI_Request* handle) {
  if (const int code = check_both(both); code != MPI_SUCCESS) return code;
  if (both.source == MPI_PROC_NULL) return begin_send_only(both, std::move(copy), name, handle);
  const auto request = std::make_shared<SendrecvRequest>();
  const auto sending = std::make_shared<SendRequest>();
  std::shared_ptr<TransferRequest> receiving;
  const SendCall call = send_call(both, name.function);
  if (const int code = announce(*sending, both, call); code != MPI_SUCCESS) return code;
  sending->keep(std::move(copy));
  try {
    if (const int code = begin_receive(receiving, both, name.function); code != MPI_SUCCESS) {
      leave(sending, receiving);
      return code;
    }
  } catch (...) {
    leave(sending, receiving);
    throw;
  }
  if (const int code = post_rest_or_leave(sending, receiving, call); code != MPI_SUCCESS) {
    return code;
  }
  request->set_send(sending);
  request->set_receive(receiving);
  *handle = request->transfer();
  request_table().insert(*handle, request, name, both.comm);
  return MPI_SUCCESS;
}

#endif

}  // namespace

int sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
             void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
             MPI_Comm comm, MPI_Status* status) {
  const mpi::CallName name{"MPI_Sendrecv", signature_bytes(sendtype, sendcount), "to", dest};
  const auto pass = [&] {
    return caught_up(PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                   recvtype, source, recvtag, comm, status));
  };
  if (untouched(name.bytes, recvbuf, signature_bytes(recvtype, recvcount))) return pass();
  return mpi::guarded(name, comm, [&] {
    if (mpi::route_of(comm) == nullptr) return pass();
    const Both both{{const_cast<void*>(sendbuf), sendcount, sendtype},
                    dest,
                    sendtag,
                    {recvbuf, recvcount, recvtype},
                    source,
                    recvtag,
                    comm};
    return source == MPI_PROC_NULL ? send_only(both, status) : send_and_receive(both, status);
  });
}

int sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                     int recvtag, MPI_Comm comm, MPI_Status* status) {
  const mpi::CallName name{"MPI_Sendrecv_replace", signature_bytes(datatype, count), "to", dest};
  const auto pass = [&] {
    return caught_up(
        PMPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status));
  };
  if (untouched(name.bytes, buf, name.bytes)) return pass();
  return mpi::guarded(name, comm, [&] {
    if (mpi::route_of(comm) == nullptr || name.bytes == 0) return pass();
    const mpi::BufferPool::Lease memory = message_pool().insist(name.bytes);
    mpi::ByteSegments segments;
    const mpi::Buffer sent = copy({buf, count, datatype}, memory.bytes(), segments);
    return sendrecv(sent.address, static_cast<int>(sent.count), sent.datatype, dest, sendtag, buf,
                    count, datatype, source, recvtag, comm, status);
  });
}

#if MPI_VERSION >= 4

int isendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
              void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
              MPI_Comm comm, MPI_Request* request) {
  const mpi::CallName name{"MPI_Isendrecv", signature_bytes(sendtype, sendcount), "to", dest};
  const auto pass = [&] {
    return PMPI_Isendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                          source, recvtag, comm, request);
  };
  if (untouched(name.bytes, recvbuf, signature_bytes(recvtype, recvcount))) return pass();
  return mpi::guarded(name, comm, [&] {
    const Both both{{const_cast<void*>(sendbuf), sendcount, sendtype},
                    dest,
                    sendtag,
                    {recvbuf, recvcount, recvtype},
                    source,
                    recvtag,
                    comm};
    return is_ours(both) ? begin(both, {}, name, request) : pass();
  });
}

int isendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest, int sendtag,
                      int source, int recvtag, MPI_Comm comm, MPI_Request* request) {
  const mpi::CallName name{"MPI_Isendrecv_replace", signature_bytes(datatype, count), "to", dest};
  const auto pass = [&] {
    return PMPI_Isendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm,
                                  request);
  };
  if (untouched(name.bytes, buf, name.bytes)) return pass();
  return mpi::guarded(name, comm, [&] {
    const mpi::Buffer user{buf, count, datatype};
    Both both{user, dest, sendtag, user, source, recvtag, comm};
    if (!is_ours(both)) return pass();
    mpi::BufferPool::Lease memory = message_pool().insist(std::max<std::size_t>(name.bytes, 1));
    mpi::ByteSegments segments;  // not needed once the send has begun
    both.sent = copy(user, memory.bytes().first(name.bytes), segments);
    return begin(both, std::move(memory), name, request);
  });
}

#endif

}  // namespace tightwire::p2p
