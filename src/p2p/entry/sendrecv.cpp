// MPI_Sendrecv and MPI_Sendrecv_replace: a receive and a send that go on together.
#include <algorithm>
#include <initializer_list>

#include "mpi/buffer.h"
#include "mpi/buffer_pool.h"
#include "mpi/call.h"
#include "mpi/communicator/route.h"
#include "mpi/datatype/byte_segments.h"
#include "mpi/device/second_image.h"
#include "mpi/error.h"
#include "p2p/completion/catch_up.h"
#include "p2p/entry/both_halves.h"
#include "p2p/entry/p2p.h"
#include "p2p/request/send_request.h"
#include "p2p/state/error_handlers.h"
#include "p2p/state/message_pool.h"
#include "p2p/transfer/buffer/receive_buffer.h"

namespace tightwire::p2p {
namespace {

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
    mpi::fetch_left({buf, count, datatype});
    return caught_up(
        PMPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status));
  };
  if (untouched(name.bytes, buf, name.bytes)) return pass();
  return mpi::guarded(name, comm, [&] {
    if (mpi::route_of(comm) == nullptr || name.bytes == 0) return pass();
    const mpi::SecondImage image(name.function, buf);
    if (image.address() != nullptr) {
      return sendrecv(image.address(), count, datatype, dest, sendtag, buf, count, datatype, source,
                      recvtag, comm, status);
    }
    const mpi::BufferPool::Lease memory = message_pool().insist(name.bytes);
    mpi::ByteSegments segments;
    const mpi::Buffer sent = copy_to_send({buf, count, datatype}, memory.bytes(), segments);
    return sendrecv(sent.address, static_cast<int>(sent.count), sent.datatype, dest, sendtag, buf,
                    count, datatype, source, recvtag, comm, status);
  });
}

}  // namespace tightwire::p2p
