// MPI_Isendrecv and MPI_Isendrecv_replace, of MPI 4: both halves are one request.
#include <algorithm>
#include <memory>

#include "mpi/buffer.h"
#include "mpi/buffer_pool.h"
#include "mpi/call.h"
#include "mpi/communicator/route.h"
#include "mpi/datatype/byte_segments.h"
#include "mpi/error.h"
#include "p2p/entry/both_halves.h"
#include "p2p/entry/p2p.h"
#include "p2p/request/receive_request.h"
#include "p2p/request/request.h"
#include "p2p/request/request_table.h"
#include "p2p/request/send_request.h"
#include "p2p/request/sendrecv_request.h"
#include "p2p/request/transfer_request.h"
#include "p2p/state/message_pool.h"
#include "p2p/transfer/buffer/receive_buffer.h"
#include "p2p/transfer/framing.h"

#if MPI_VERSION >= 4

namespace tightwire::p2p {
namespace {

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

}  // namespace

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
    both.sent = copy_to_send(user, memory.bytes().first(name.bytes), segments);
    return begin(both, std::move(memory), name, request);
  });
}

}  // namespace tightwire::p2p

#endif
