// Messages to and fro, by calls that wait.
#include "cases.h"

namespace overhead {
namespace {

void receive(const Place& at, Memory& memory) {
  at.mpi.Recv(memory.receive.data(), 1, MPI_INT64_T, at.peer(), tag, at.comm, MPI_STATUS_IGNORE);
}

// First one rank sends, then the other. A macro, as each call is a member of its own.
#define OVERHEAD_TO_AND_FRO(call)                                             \
  simple(#call "+Recv", [](const Place& at, Memory& memory) {                 \
    if (!at.first()) receive(at, memory);                                     \
    at.mpi.call(memory.send.data(), 1, MPI_INT64_T, at.peer(), tag, at.comm); \
    if (at.first()) receive(at, memory);                                      \
  })

// The receive stands before the other rank sends: its own message says so.
void ready_send(const Place& at, Memory& memory) {
  MPI_Request request = MPI_REQUEST_NULL;
  at.mpi.Irecv(memory.receive.data(), 1, MPI_INT64_T, at.peer(), tag, at.comm, &request);
  PMPI_Barrier(at.comm);
  at.mpi.Rsend(memory.send.data(), 1, MPI_INT64_T, at.peer(), tag, at.comm);
  at.mpi.Wait(&request, MPI_STATUS_IGNORE);
}

void send_receive(const Place& at, Memory& memory) {
  at.mpi.Sendrecv(memory.send.data(), 1, MPI_INT64_T, at.peer(), tag, memory.receive.data(), 1,
                  MPI_INT64_T, at.peer(), tag, at.comm, MPI_STATUS_IGNORE);
}

void send_receive_replace(const Place& at, Memory& memory) {
  at.mpi.Sendrecv_replace(memory.send.data(), 1, MPI_INT64_T, at.peer(), tag, at.peer(), tag,
                          at.comm, MPI_STATUS_IGNORE);
}

template <class Receive>
void exchange(const Place& at, Memory& memory, Receive&& receive_probed) {
  if (!at.first()) receive_probed();
  at.mpi.Send(memory.send.data(), 1, MPI_INT64_T, at.peer(), tag, at.comm);
  if (at.first()) receive_probed();
}

void probe(const Place& at, Memory& memory) {
  exchange(at, memory, [&] {
    MPI_Status status;
    at.mpi.Probe(MPI_ANY_SOURCE, tag, at.comm, &status);
    receive(at, memory);
  });
}

void probe_until_there(const Place& at, Memory& memory) {
  exchange(at, memory, [&] {
    for (int found = 0; found == 0;) {
      at.mpi.Iprobe(at.peer(), tag, at.comm, &found, MPI_STATUS_IGNORE);
    }
    receive(at, memory);
  });
}

void probe_and_match(const Place& at, Memory& memory) {
  exchange(at, memory, [&] {
    MPI_Message message = MPI_MESSAGE_NULL;
    at.mpi.Mprobe(at.peer(), tag, at.comm, &message, MPI_STATUS_IGNORE);
    at.mpi.Mrecv(memory.receive.data(), 1, MPI_INT64_T, &message, MPI_STATUS_IGNORE);
  });
}

void probe_and_match_until_there(const Place& at, Memory& memory) {
  exchange(at, memory, [&] {
    MPI_Message message = MPI_MESSAGE_NULL;
    for (int found = 0; found == 0;) {
      at.mpi.Improbe(at.peer(), tag, at.comm, &found, &message, MPI_STATUS_IGNORE);
    }
    MPI_Request request = MPI_REQUEST_NULL;
    at.mpi.Imrecv(memory.receive.data(), 1, MPI_INT64_T, &message, &request);
    at.mpi.Wait(&request, MPI_STATUS_IGNORE);
  });
}

}  // namespace

void add_blocking(std::vector<Case>& cases) {
  cases.push_back(OVERHEAD_TO_AND_FRO(Send));
  cases.push_back(OVERHEAD_TO_AND_FRO(Ssend));
  cases.push_back(OVERHEAD_TO_AND_FRO(Bsend));
  cases.push_back(simple("Rsend+Irecv+Wait", &ready_send));
  cases.push_back(simple("Sendrecv", &send_receive));
  cases.push_back(simple("Sendrecv_replace", &send_receive_replace));
  cases.push_back(simple("Send+Probe+Recv", &probe));
  cases.push_back(simple("Send+Iprobe+Recv", &probe_until_there));
  cases.push_back(simple("Send+Mprobe+Mrecv", &probe_and_match));
  cases.push_back(simple("Send+Improbe+Imrecv+Wait", &probe_and_match_until_there));
}

}  // namespace overhead
