#include <cstring>

#include "calls.h"

namespace devices {
namespace {

// The receive stands when the other rank sends.
#define SENDS(name, ...)                                                       \
  {                                                                            \
#name, [](Buffers& b) {                                                      \
     MPI_Request received = MPI_REQUEST_NULL;                                   \
     MPI_Irecv(b.receive, count, MPI_INT, peer(), tag, MPI_COMM_WORLD, &received); \
     PMPI_Barrier(MPI_COMM_WORLD);                                              \
     MPI_##name(b.send, count, MPI_INT, peer(), tag, MPI_COMM_WORLD __VA_OPT__(,) __VA_ARGS__); \
     if (std::strstr(#name, "_init") != nullptr) start_and_wait(b.request);     \
     MPI_Wait(&b.request, MPI_STATUS_IGNORE);                                   \
     MPI_Wait(&received, MPI_STATUS_IGNORE);                                    \
   } \
  }

void send_receive(Buffers& b) {
  MPI_Sendrecv(b.send, count, MPI_INT, peer(), tag, b.receive, count, MPI_INT, peer(), tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// What is sent is replaced: so it is a copy, in the buffer of the receive, that is.
void send_receive_replace(Buffers& b) {
  MPI_Sendrecv_replace(b.receive, count, MPI_INT, peer(), tag, peer(), tag, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
}

#if MPI_VERSION >= 4
void start_send_receive(Buffers& b) {
  MPI_Isendrecv(b.send, count, MPI_INT, peer(), tag, b.receive, count, MPI_INT, peer(), tag,
                MPI_COMM_WORLD, &b.request);
  MPI_Wait(&b.request, MPI_STATUS_IGNORE);
}

void start_send_receive_replace(Buffers& b) {
  MPI_Isendrecv_replace(b.receive, count, MPI_INT, peer(), tag, peer(), tag, MPI_COMM_WORLD,
                        &b.request);
  MPI_Wait(&b.request, MPI_STATUS_IGNORE);
}
#endif

// Both ranks send first.
template <class Receive>
std::function<void(Buffers&)> received_by(Receive receive) {
  return [receive](Buffers& b) {
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Isend(b.send, count, MPI_INT, peer(), tag, MPI_COMM_WORLD, &sent);
    receive(b);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
  };
}

void receive(Buffers& b) {
  MPI_Recv(b.receive, count, MPI_INT, peer(), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void receive_and_test(Buffers& b) {
  MPI_Irecv(b.receive, count, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &b.request);
  for (int done = 0; done == 0;) MPI_Test(&b.request, &done, MPI_STATUS_IGNORE);
}

void receive_again(Buffers& b) {
  MPI_Recv_init(b.receive, count, MPI_INT, peer(), tag, MPI_COMM_WORLD, &b.request);
  start_and_wait(b.request);
}

void probe(Buffers& b) {
  MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  receive(b);
}

MPI_Message matched() {
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Mprobe(peer(), tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  return message;
}

void receive_matched(Buffers& b) {
  MPI_Message message = matched();
  MPI_Mrecv(b.receive, count, MPI_INT, &message, MPI_STATUS_IGNORE);
}

void start_matched(Buffers& b) {
  MPI_Message message = matched();
  MPI_Imrecv(b.receive, count, MPI_INT, &message, &b.request);
  MPI_Waitall(1, &b.request, MPI_STATUSES_IGNORE);
}

}  // namespace

const std::vector<Call>& sends() {
  static const std::vector<Call> all = {
    SENDS(Send),
    SENDS(Ssend),
    SENDS(Bsend),
    SENDS(Rsend),
    SENDS(Isend, &b.request),
    SENDS(Issend, &b.request),
    SENDS(Ibsend, &b.request),
    SENDS(Irsend, &b.request),
    SENDS(Send_init, &b.request),
    SENDS(Ssend_init, &b.request),
    SENDS(Bsend_init, &b.request),
    SENDS(Rsend_init, &b.request),
    {"Sendrecv", &send_receive},
#if MPI_VERSION >= 4
    {"Isendrecv", &start_send_receive},
#endif
  };
  return all;
}

const std::vector<Call>& receives() {
  static const std::vector<Call> all = {
    {"Recv", received_by(&receive)},
    {"Irecv", received_by(&receive_and_test)},
    {"Recv_init", received_by(&receive_again)},
    {"Probe", received_by(&probe)},
    {"Mrecv", received_by(&receive_matched)},
    {"Imrecv", received_by(&start_matched)},
    {"Sendrecv", &send_receive},
    {"Sendrecv_replace", &send_receive_replace},
#if MPI_VERSION >= 4
    {"Isendrecv", &start_send_receive},
    {"Isendrecv_replace", &start_send_receive_replace},
#endif
  };
  return all;
}

}  // namespace devices
