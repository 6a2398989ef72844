#include "calls.h"

// The call with MPI_Count where MPI has one and the operation asks for it.
#if MPI_VERSION >= 4
#define BY_COUNT(call, function, ...) \
  ((call).large_count ? function##_c(__VA_ARGS__) : function(__VA_ARGS__))
#else
#define BY_COUNT(call, function, ...) function(__VA_ARGS__)
#endif

#define SENT(call) (call).address, (call).count, (call).type, (call).peer, (call).tag, (call).comm

namespace semantics {

Call call_of(const Operation& operation, const Communicator& comm, Buffer& buffer) {
  Call call;
  call.type = buffer.type();
  call.address = buffer.address();
  call.count = buffer.count();
  call.peer = operation.peer == any ? MPI_ANY_SOURCE : comm.rank_of(operation.peer);
  call.tag = operation.tag == any ? MPI_ANY_TAG : operation.tag;
  call.comm = comm.handle;
  call.large_count = operation.large_count;
  return call;
}

int send(const Call& call, SendMode mode) {
  switch (mode) {
    case SendMode::standard:
      return BY_COUNT(call, MPI_Send, SENT(call));
    case SendMode::synchronous:
      return BY_COUNT(call, MPI_Ssend, SENT(call));
    case SendMode::buffered:
      return BY_COUNT(call, MPI_Bsend, SENT(call));
    case SendMode::ready:
      return BY_COUNT(call, MPI_Rsend, SENT(call));
  }
  return MPI_ERR_OTHER;
}

int start_send(const Call& call, SendMode mode, MPI_Request* request) {
  switch (mode) {
    case SendMode::standard:
      return BY_COUNT(call, MPI_Isend, SENT(call), request);
    case SendMode::synchronous:
      return BY_COUNT(call, MPI_Issend, SENT(call), request);
    case SendMode::buffered:
      return BY_COUNT(call, MPI_Ibsend, SENT(call), request);
    case SendMode::ready:
      return BY_COUNT(call, MPI_Irsend, SENT(call), request);
  }
  return MPI_ERR_OTHER;
}

int init_send(const Call& call, SendMode mode, MPI_Request* request) {
  switch (mode) {
    case SendMode::standard:
      return BY_COUNT(call, MPI_Send_init, SENT(call), request);
    case SendMode::synchronous:
      return BY_COUNT(call, MPI_Ssend_init, SENT(call), request);
    case SendMode::buffered:
      return BY_COUNT(call, MPI_Bsend_init, SENT(call), request);
    case SendMode::ready:
      return BY_COUNT(call, MPI_Rsend_init, SENT(call), request);
  }
  return MPI_ERR_OTHER;
}

int receive(const Call& call, MPI_Status* status) {
  return BY_COUNT(call, MPI_Recv, SENT(call), status);
}

int start_receive(const Call& call, MPI_Request* request) {
  return BY_COUNT(call, MPI_Irecv, SENT(call), request);
}

int init_receive(const Call& call, MPI_Request* request) {
  return BY_COUNT(call, MPI_Recv_init, SENT(call), request);
}

int receive_matched(const Call& call, MPI_Message* matched, MPI_Status* status) {
  return BY_COUNT(call, MPI_Mrecv, call.address, call.count, call.type, matched, status);
}

int start_receive_matched(const Call& call, MPI_Message* matched, MPI_Request* request) {
  return BY_COUNT(call, MPI_Imrecv, call.address, call.count, call.type, matched, request);
}

int sendrecv(const Call& sent, const Call& received, MPI_Status* status) {
  return BY_COUNT(sent, MPI_Sendrecv, sent.address, sent.count, sent.type, sent.peer, sent.tag,
                  received.address, received.count, received.type, received.peer, received.tag,
                  sent.comm, status);
}

int sendrecv_replace(const Call& sent, const Call& received, MPI_Status* status) {
  return BY_COUNT(sent, MPI_Sendrecv_replace, sent.address, sent.count, sent.type, sent.peer,
                  sent.tag, received.peer, received.tag, sent.comm, status);
}

int isendrecv(const Call& sent, const Call& received) {
#if MPI_VERSION >= 4
  MPI_Request request = MPI_REQUEST_NULL;
  BY_COUNT(sent, MPI_Isendrecv, sent.address, sent.count, sent.type, sent.peer, sent.tag,
           received.address, received.count, received.type, received.peer, received.tag, sent.comm,
           &request);
  return MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
  return sendrecv(sent, received, MPI_STATUS_IGNORE);
#endif
}

}  // namespace semantics
