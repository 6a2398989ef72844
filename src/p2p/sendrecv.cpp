// MPI_Sendrecv and its relatives: a receive and a send that go on together.
#include <climits>
#include <cstring>

#include "collective/measured.h"
#include "p2p/engine.h"
#include "p2p/p2p.h"
#include "p2p/packing.h"
#include "p2p/status.h"

namespace tightwire::p2p {

using collective::CallName;
using collective::guarded;

namespace {

// Neither way could a frame be met: the call goes to MPI as it came.
bool untouched(std::size_t send_bytes, std::size_t receive_bytes) {
  const Engine& state = engine();
  return send_bytes < state.threshold && receive_bytes < state.threshold && !state.threads &&
         !state.unexpected.any();
}

}  // namespace

int sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
             void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
             MPI_Comm comm, MPI_Status* status) {
  const CallName name{"MPI_Sendrecv", signature_bytes(sendtype, sendcount)};
  if (untouched(name.bytes, signature_bytes(recvtype, recvcount))) {
    return PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                         source, recvtag, comm, status);
  }
  return guarded(name, comm, [&] {
    if (route_of(comm) == nullptr) {
      return PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                           recvtype, source, recvtag, comm, status);
    }
    MPI_Request receiving = MPI_REQUEST_NULL;
    MPI_Request sending = MPI_REQUEST_NULL;
    int code = irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &receiving);
    if (code != MPI_SUCCESS) return code;
    code = isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, &sending);
    if (code != MPI_SUCCESS) {
      cancel(&receiving);
      wait(&receiving, MPI_STATUS_IGNORE);
      return code;
    }
    const int received = wait(&receiving, status);
    const int sent = wait(&sending, MPI_STATUS_IGNORE);
    return received != MPI_SUCCESS ? received : sent;
  });
}

int sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                     int recvtag, MPI_Comm comm, MPI_Status* status) {
  const CallName name{"MPI_Sendrecv_replace", signature_bytes(datatype, count)};
  if (untouched(name.bytes, name.bytes)) {
    return PMPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm,
                                 status);
  }
  return guarded(name, comm, [&] {
    const auto type = collective::predefined(datatype);
    if (route_of(comm) == nullptr || name.bytes == 0 || name.bytes > INT_MAX) {
      return PMPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm,
                                   status);
    }
    // What is sent must not change while the other's message lands.
    const Pool::Lease copy = engine().pool.insist(name.bytes);
    if (type) {
      std::memcpy(copy.bytes().data(), buf, name.bytes);
      return sendrecv(copy.bytes().data(), count, datatype, dest, sendtag, buf, count, datatype,
                      source, recvtag, comm, status);
    }
    pack({buf, count, datatype}, copy.bytes());
    return sendrecv(copy.bytes().data(), static_cast<int>(name.bytes), MPI_PACKED, dest, sendtag,
                    buf, count, datatype, source, recvtag, comm, status);
  });
}

}  // namespace tightwire::p2p
