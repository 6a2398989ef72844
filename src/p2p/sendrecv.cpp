// MPI_Sendrecv and its relatives: a receive and a send that go on together.
#include <algorithm>
#include <cstring>

#include "collective/measured.h"
#include "p2p/engine.h"
#include "p2p/p2p.h"
#include "p2p/packing.h"
#include "p2p/receiving.h"
#include "p2p/row.h"
#include "p2p/sending.h"
#include "p2p/status.h"

namespace tightwire::p2p {

using collective::CallName;
// NOLINTNEXTLINE(misc-unused-using-decls): clang-tidy overlooks its uses below
using collective::check;
using collective::guarded;
using collective::UserBuffer;

namespace {

// Neither way could a frame be met: the call goes to MPI as it came.
bool untouched(std::size_t send_bytes, std::size_t receive_bytes) {
  const Engine& state = engine();
  return send_bytes < state.threshold && receive_bytes < state.threshold && !state.threads &&
         !state.unexpected.any();
}

// What is sent must not change while the other's message lands. `row` is to be kept until then.
UserBuffer copy(const UserBuffer& user, std::span<std::byte> memory, Row& row) {
  if (collective::predefined(user.datatype)) {
    std::memcpy(memory.data(), user.address, memory.size());
    return {memory.data(), user.count, user.datatype};
  }
  pack(user, memory);
  row = Row(memory);
  return {row.address(), row.count(), row.type()};
}

#if MPI_VERSION >= 4

struct Both {
  UserBuffer sent;
  int destination;
  int send_tag;
  UserBuffer received;
  int source;
  int receive_tag;
  MPI_Comm comm;
};

bool is_ours(const Both& both) {
  const Route* route = route_of(both.comm);
  return route != nullptr && (route->may_cross(both.source) || route->across(both.destination));
}

std::unique_ptr<Request> begin_send(const Both& both) {
  const UserBuffer& user = both.sent;
  auto sending = std::make_unique<Request>();
  if (const Route* route = framing_route(user.bytes(), both.destination, both.comm)) {
    check(begin(*sending, Sending{&PMPI_Isend, user, route, both.destination, both.send_tag,
                                  both.comm, "MPI_Isendrecv"}));
  } else {
    check(PMPI_Isend(user.address, static_cast<int>(user.count), user.datatype, both.destination,
                     both.send_tag, both.comm, &sending->transfer));
  }
  return sending;
}

std::unique_ptr<Request> begin_receive(const Both& both, const char* call) {
  const UserBuffer& user = both.received;
  auto receiving = std::make_unique<Request>();
  if (const Route* route = watched_route(user.bytes(), both.source, both.comm)) {
    check(
        begin(*receiving, Receiving{user, route, both.source, both.receive_tag, both.comm, call}));
  } else {
    check(PMPI_Irecv(user.address, static_cast<int>(user.count), user.datatype, both.source,
                     both.receive_tag, both.comm, &receiving->transfer));
  }
  return receiving;
}

// One request for both: that of the receive, whose completion waits for the send. Not where nothing
// is received: MPICH has one handle for all such receives.
int begin(const Both& both, Pool::Lease copy, const CallName& name, MPI_Request* handle) {
  std::unique_ptr<Request> request;
  if (both.source == MPI_PROC_NULL) {
    request = begin_send(both);
    request->copy = std::move(copy);
    *handle = request->transfer;
    if (request->poll()) return MPI_SUCCESS;
  } else {
    request = begin_receive(both, name.function);
    // MPI may be writing to what the receive holds.
    request->companion =
        collective::indispensable(name, both.comm, [&] { return begin_send(both); });
    request->companion->copy = std::move(copy);
    *handle = request->transfer;
  }
  engine().requests.insert(*handle, std::move(request), name, both.comm);
  return MPI_SUCCESS;
}

#endif

}  // namespace

int sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
             void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
             MPI_Comm comm, MPI_Status* status) {
  const CallName name{"MPI_Sendrecv", signature_bytes(sendtype, sendcount), "to", dest};
  if (untouched(name.bytes, signature_bytes(recvtype, recvcount))) {
    return PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                         source, recvtag, comm, status);
  }
  return guarded(name, comm, [&] {
    if (route_of(comm) == nullptr) {
      return PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                           recvtype, source, recvtag, comm, status);
    }
    // MPICH 4.0 loses the status of a non-blocking receive from nobody.
    if (source == MPI_PROC_NULL) {
      const int sent = send(sendbuf, sendcount, sendtype, dest, sendtag, comm);
      const int received = PMPI_Recv(recvbuf, recvcount, recvtype, source, recvtag, comm, status);
      return sent != MPI_SUCCESS ? sent : received;
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
  const CallName name{"MPI_Sendrecv_replace", signature_bytes(datatype, count), "to", dest};
  if (untouched(name.bytes, name.bytes)) {
    return PMPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm,
                                 status);
  }
  return guarded(name, comm, [&] {
    if (route_of(comm) == nullptr || name.bytes == 0) {
      return PMPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm,
                                   status);
    }
    const Pool::Lease memory = engine().pool.insist(name.bytes);
    Row row;
    const UserBuffer sent = copy({buf, count, datatype}, memory.bytes(), row);
    return sendrecv(sent.address, static_cast<int>(sent.count), sent.datatype, dest, sendtag, buf,
                    count, datatype, source, recvtag, comm, status);
  });
}

#if MPI_VERSION >= 4

int isendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
              void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
              MPI_Comm comm, MPI_Request* request) {
  const CallName name{"MPI_Isendrecv", signature_bytes(sendtype, sendcount), "to", dest};
  const auto pass = [&] {
    return PMPI_Isendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                          source, recvtag, comm, request);
  };
  if (untouched(name.bytes, signature_bytes(recvtype, recvcount))) return pass();
  return guarded(name, comm, [&] {
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
  const CallName name{"MPI_Isendrecv_replace", signature_bytes(datatype, count), "to", dest};
  const auto pass = [&] {
    return PMPI_Isendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm,
                                  request);
  };
  if (untouched(name.bytes, name.bytes)) return pass();
  return guarded(name, comm, [&] {
    const UserBuffer user{buf, count, datatype};
    Both both{user, dest, sendtag, user, source, recvtag, comm};
    if (!is_ours(both)) return pass();
    Pool::Lease memory = engine().pool.insist(std::max<std::size_t>(name.bytes, 1));
    Row row;  // not needed once the send has begun
    both.sent = copy(user, memory.bytes().first(name.bytes), row);
    return begin(both, std::move(memory), name, request);
  });
}

#endif

}  // namespace tightwire::p2p
