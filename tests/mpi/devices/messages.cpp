#include <cstring>
#include <vector>

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

namespace {

MPI_Datatype vector_of(int blocks, int length, int stride) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_vector(blocks, length, stride, MPI_INT, &made);
  MPI_Type_commit(&made);
  return made;
}

void exchange(const int* from, int items, MPI_Datatype type, int* to, int room_there,
              MPI_Datatype type_there) {
  MPI_Request sent = MPI_REQUEST_NULL;
  MPI_Isend(from, items, type, peer(), tag, MPI_COMM_WORLD, &sent);
  MPI_Recv(to, room_there, type_there, peer(), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

void strided_both(Buffers& b) {
  MPI_Datatype type = vector_of(count / 2, 3, 5);
  exchange(b.send, 1, type, b.receive, 1, type);
  MPI_Type_free(&type);
}

void shorter_than_room(Buffers& b) {
  exchange(b.send, count / 2, MPI_INT, b.receive, count, MPI_INT);
}

void shorter_than_strided_room(Buffers& b) {
  MPI_Datatype type = vector_of(count / 2, 3, 5);
  exchange(b.send, count / 2 + 1, MPI_INT, b.receive, 1, type);
  MPI_Type_free(&type);
}

void irregular(Buffers& b) {
  std::vector<int> lengths, places;
  for (int i = 0; i < 100; ++i) {
    lengths.push_back(1 + i % 7);
    places.push_back(i * 20 + i % 3);
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_indexed(100, lengths.data(), places.data(), MPI_INT, &type);
  MPI_Type_commit(&type);
  exchange(b.send, 1, type, b.receive, 1, type);
  MPI_Type_free(&type);
}

// Its layout is none that is understood.
void distributed(Buffers& b) {
  const int sizes[] = {count}, ways[] = {MPI_DISTRIBUTE_CYCLIC}, arguments[] = {3}, grid[] = {2};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_darray(2, 1, 1, sizes, ways, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
  MPI_Type_commit(&type);
  exchange(b.send, 1, type, b.receive, 1, type);
  MPI_Type_free(&type);
}

// Two receives under way whose bytes lie between each other's.
void interleaved(Buffers& b) {
  MPI_Datatype type = vector_of(count / 2, 1, 2);
  MPI_Request requests[4];
  MPI_Irecv(b.receive, 1, type, peer(), 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(b.receive + 1, 1, type, peer(), 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(b.send, count / 2, MPI_INT, peer(), 2, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(b.send + count / 2, count / 2, MPI_INT, peer(), 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  MPI_Type_free(&type);
}

enum class Way { all, any, some, test_all, test_any, test_some };

int completed_by(Way way, int number, MPI_Request* requests) {
  int index = MPI_UNDEFINED, flag = 0, done = 0;
  int indices[8];
  switch (way) {
    case Way::all:
      MPI_Waitall(number, requests, MPI_STATUSES_IGNORE);
      return number;
    case Way::any:
      MPI_Waitany(number, requests, &index, MPI_STATUS_IGNORE);
      return 1;
    case Way::some:
      MPI_Waitsome(number, requests, &done, indices, MPI_STATUSES_IGNORE);
      return done;
    case Way::test_all:
      MPI_Testall(number, requests, &flag, MPI_STATUSES_IGNORE);
      return flag ? number : 0;
    case Way::test_any:
      MPI_Testany(number, requests, &index, &flag, MPI_STATUS_IGNORE);
      return flag;
    case Way::test_some:
      MPI_Testsome(number, requests, &done, indices, MPI_STATUSES_IGNORE);
      return done;
  }
  return 0;
}

template <Way way>
void many(Buffers& b) {
  constexpr int each = count / 4;
  MPI_Request requests[8];
  for (int i = 0; i < 4; ++i) {
    MPI_Irecv(b.receive + i * each, each, MPI_INT, peer(), i, MPI_COMM_WORLD, &requests[i]);
    MPI_Isend(b.send + i * each, each, MPI_INT, peer(), i, MPI_COMM_WORLD, &requests[4 + i]);
  }
  for (int done = 0; done < 8;) done += completed_by(way, 8, requests);
}

void start_all_twice(Buffers& b) {
  MPI_Request requests[2];
  MPI_Recv_init(b.receive, count, MPI_INT, peer(), tag, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(b.send, count, MPI_INT, peer(), tag, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  for (MPI_Request& request : requests) MPI_Request_free(&request);
}

void free_under_way(Buffers& b) {
  MPI_Request sent = MPI_REQUEST_NULL;
  MPI_Isend(b.send, count, MPI_INT, peer(), tag, MPI_COMM_WORLD, &sent);
  MPI_Request_free(&sent);
  receive(b);
  PMPI_Barrier(MPI_COMM_WORLD);  // what is sent may be written again
}

// What is received is there when a later message of the same sender is.
void free_receive(Buffers& b) {
  MPI_Request received = MPI_REQUEST_NULL;
  MPI_Irecv(b.receive, count / 2, MPI_INT, peer(), tag, MPI_COMM_WORLD, &received);
  MPI_Request_free(&received);
  MPI_Isend(b.send, count / 2, MPI_INT, peer(), tag, MPI_COMM_WORLD, &b.request);
  MPI_Wait(&b.request, MPI_STATUS_IGNORE);
  PMPI_Barrier(MPI_COMM_WORLD);
  MPI_Sendrecv(b.send + count / 2, count / 2, MPI_INT, peer(), tag, b.receive + count / 2,
               count / 2, MPI_INT, peer(), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// MPIs may give all that is complete at once the same request.
void complete_at_once(Buffers& b) {
  MPI_Request requests[4];
  int of_the_host = 0;
  for (int i = 0; i < 2; ++i) {
    MPI_Iallreduce(b.send + i * count / 2, b.receive + i * count / 2, count / 2, MPI_INT, MPI_SUM,
                   MPI_COMM_SELF, &requests[i]);
  }
  MPI_Isend(&of_the_host, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &requests[2]);
  MPI_Request_free(&requests[2]);
  MPI_Iallgather(b.send, count, MPI_INT, b.receive + count, count, MPI_INT, MPI_COMM_SELF,
                 &requests[2]);
  MPI_Isend(b.send, count, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

// Whoever has nothing to send need not have memory for it.
void nothing(Buffers& b) {
  MPI_Send(b.send, count, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
  MPI_Sendrecv(b.send + room, 0, MPI_INT, peer(), tag, b.receive + room, 0, MPI_INT, peer(), tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void look_at_status(Buffers& b) {
  MPI_Irecv(b.receive, count, MPI_INT, peer(), tag, MPI_COMM_WORLD, &b.request);
  MPI_Send(b.send, count, MPI_INT, peer(), tag, MPI_COMM_WORLD);
  for (int done = 0; done == 0;) MPI_Request_get_status(b.request, &done, MPI_STATUS_IGNORE);
  MPI_Wait(&b.request, MPI_STATUS_IGNORE);
}

void cancel(Buffers& b) {
  MPI_Irecv(b.receive, count, MPI_INT, peer(), tag + 1, MPI_COMM_WORLD, &b.request);
  MPI_Cancel(&b.request);
  MPI_Wait(&b.request, MPI_STATUS_IGNORE);
}

void nobody(Buffers& b) {
  MPI_Sendrecv(b.send, count, MPI_INT, MPI_PROC_NULL, tag, b.receive, count, MPI_INT, MPI_PROC_NULL,
               tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Irecv(b.receive, count, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &b.request);
  MPI_Wait(&b.request, MPI_STATUS_IGNORE);
}

}  // namespace

const std::vector<Call>& special_messages() {
  static const std::vector<Call> all = {
      {"strided", &strided_both},
      {"shorter", &shorter_than_room},
      {"shorter than strided", &shorter_than_strided_room},
      {"irregular", &irregular},
      {"distributed", &distributed},
      {"interleaved", &interleaved},
      {"Waitall", &many<Way::all>},
      {"Waitany", &many<Way::any>},
      {"Waitsome", &many<Way::some>},
      {"Testall", &many<Way::test_all>},
      {"Testany", &many<Way::test_any>},
      {"Testsome", &many<Way::test_some>},
      {"Startall", &start_all_twice},
      {"Request_free", &free_under_way},
      {"Request_free of a receive", &free_receive},
      {"complete at once", &complete_at_once},
      {"nothing", &nothing},
      {"Request_get_status", &look_at_status},
      {"Cancel", &cancel},
      {"MPI_PROC_NULL", &nobody},
  };
  return all;
}

}  // namespace devices
