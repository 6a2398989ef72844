// Probes of every kind: they tell of the message, and change nothing of what is received when.
#include "messages.h"

namespace messages {
namespace {

void send(MPI_Comm comm, Kind kind, std::size_t bytes, int tag) {
  const auto message = content(kind, bytes, tag);
  MPI_Send(message.data(), static_cast<int>(bytes), MPI_BYTE, 1, tag, comm);
}

struct Message {
  Kind kind;
  std::size_t bytes;
};

// Tags 1, 2, ...: all under way at once.
void send_all(MPI_Comm comm, const std::vector<Message>& messages) {
  std::vector<std::vector<unsigned char>> kept;
  std::vector<MPI_Request> requests;
  int tag = 0;
  for (const Message& message : messages) {
    kept.push_back(content(message.kind, message.bytes, ++tag));
    requests.push_back(MPI_REQUEST_NULL);
    MPI_Isend(kept.back().data(), static_cast<int>(message.bytes), MPI_BYTE, 1, tag, comm,
              &requests.back());
  }
  MPI_Waitall(tag, requests.data(), MPI_STATUSES_IGNORE);
}

void receive(MPI_Comm comm, int want_tag, Kind kind, std::size_t bytes, int tag,
             const std::string& what) {
  Buffer buffer(bytes + 32);
  MPI_Status status{};
  MPI_Recv(buffer.data(), buffer.room(), MPI_BYTE, 0, want_tag, comm, &status);
  buffer.expect_message(content(kind, bytes, tag), what);
  expect_status(status, 0, tag, bytes, what);
}

void probe_then_receive(MPI_Comm comm, int rank) {
  for (const std::size_t bytes : sizes) {
    for (const Kind kind : {Kind::smooth, Kind::random}) {
      const std::string what = "probed, of " + std::to_string(bytes);
      if (rank == 0) {
        for (int tag = 1; tag <= 4; ++tag) send(comm, kind, bytes, tag);
        continue;
      }
      MPI_Status status{};
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
      expect_status(status, 0, 1, bytes, "Probe");
      receive(comm, 1, kind, bytes, 1, what);
      for (int flag = 0; flag == 0;) MPI_Iprobe(0, 2, comm, &flag, &status);
      expect_status(status, 0, 2, bytes, "Iprobe");
      MPI_Iprobe(0, 17, comm, &rank, &status);
      expect(rank == 0, "Iprobe of a message that is not there");
      rank = 1;
      receive(comm, 2, kind, bytes, 2, what);
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Mprobe(0, 3, comm, &message, &status);
      expect_status(status, 0, 3, bytes, "Mprobe");
      Buffer third(bytes);
      MPI_Mrecv(third.data(), third.room(), MPI_BYTE, &message, &status);
      third.expect_message(content(kind, bytes, 3), "Mrecv");
      expect_status(status, 0, 3, bytes, "Mrecv");
      expect(message == MPI_MESSAGE_NULL, "Mrecv: message handle");
      for (int flag = 0; flag == 0;) {
        MPI_Improbe(MPI_ANY_SOURCE, 4, comm, &flag, &message, &status);
      }
      expect_status(status, 0, 4, bytes, "Improbe");
      Buffer fourth(bytes + 8);
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Imrecv(fourth.data(), fourth.room(), MPI_BYTE, &message, &request);
      MPI_Wait(&request, &status);
      fourth.expect_message(content(kind, bytes, 4), "Imrecv");
      expect_status(status, 0, 4, bytes, "Imrecv");
    }
  }
}

// A probe of the third message must not let it overtake the others.
void keep_order(MPI_Comm comm, int rank) {
  constexpr std::size_t big = 100000;
  if (rank == 0) {
    send_all(comm,
             {{Kind::smooth, big}, {Kind::random, 40}, {Kind::random, big}, {Kind::smooth, big}});
    return;
  }
  MPI_Status status{};
  MPI_Probe(0, 3, comm, &status);
  expect_status(status, 0, 3, big, "Probe of the third");
  MPI_Probe(0, MPI_ANY_TAG, comm, &status);
  expect_status(status, 0, 1, big, "Probe of any, after the third");
  Buffer first(big);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(first.data(), first.room(), MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
  receive(comm, MPI_ANY_TAG, Kind::random, 40, 2, "second");
  receive(comm, 4, Kind::smooth, big, 4, "fourth");
  receive(comm, MPI_ANY_TAG, Kind::random, big, 3, "third");
  MPI_Wait(&request, &status);
  first.expect_message(content(Kind::smooth, big, 1), "first");
  expect_status(status, 0, 1, big, "first");
}

// What a probe takes in with the message it looks for may be empty, and its datatype, too.
void probe_past_an_empty_one(MPI_Comm comm, int rank) {
  if (rank == 0) send_all(comm, {{Kind::smooth, 0}, {Kind::smooth, 70000}});
  if (rank != 1) return;
  MPI_Datatype nothing = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(0, MPI_DOUBLE, &nothing);
  MPI_Type_commit(&nothing);
  MPI_Status status;
  MPI_Probe(0, 2, comm, &status);
  Buffer empty(0);
  MPI_Recv(empty.data(), 3, nothing, 0, 1, comm, &status);
  expect_status(status, 0, 1, 0, "empty, into an empty type");
  empty.expect_message({}, "empty, into an empty type");
  receive(comm, 2, Kind::smooth, 70000, 2, "behind an empty one");
  MPI_Type_free(&nothing);
}

// Whatever a probe has done, a persistent receive finds its message.
void probe_then_start(MPI_Comm comm, int rank) {
  if (rank == 0) {
    send_all(comm, {{Kind::smooth, 70000}, {Kind::smooth, 24}, {Kind::smooth, 70000}});
    return;
  }
  Buffer large(70000);
  Buffer small(24);
  MPI_Request requests[2];
  MPI_Recv_init(large.data(), large.room(), MPI_BYTE, 0, 1, comm, &requests[0]);
  MPI_Recv_init(small.data(), small.room(), MPI_BYTE, 0, 2, comm, &requests[1]);
  MPI_Status statuses[2];
  MPI_Probe(0, 3, comm, statuses);
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, statuses);
  large.expect_message(content(Kind::smooth, 70000, 1), "started after a probe");
  small.expect_message(content(Kind::smooth, 24, 2), "small, started after a probe");
  expect_status(statuses[0], 0, 1, 70000, "started after a probe");
  expect_status(statuses[1], 0, 2, 24, "small, started after a probe");
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  receive(comm, 3, Kind::smooth, 70000, 3, "probed before");
}

// Arguments that MPI complains of take no message, though a probe has taken it in.
void probe_then_fail(MPI_Comm comm, int rank) {
  constexpr std::size_t big = 100000;
  if (rank == 0) {
    send_all(comm, {{Kind::random, 40}, {Kind::smooth, big}, {Kind::smooth, big}});
    return;
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  Buffer buffer(big);
  MPI_Status status{};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Probe(0, 2, comm, &status);
  expect(MPI_Irecv(buffer.data(), -1, MPI_BYTE, 0, 1, comm, &request) != MPI_SUCCESS,
         "Irecv of a negative count");
  expect(MPI_Recv(buffer.data(), -1, MPI_BYTE, 0, 2, comm, &status) != MPI_SUCCESS,
         "Recv of a negative count");
  expect(MPI_Recv(buffer.data(), 1, MPI_DATATYPE_NULL, 0, 2, comm, &status) != MPI_SUCCESS,
         "Recv of no datatype");
  MPI_Mprobe(0, 3, comm, &message, &status);
  expect(MPI_Mrecv(buffer.data(), -1, MPI_BYTE, &message, &status) != MPI_SUCCESS,
         "Mrecv of a negative count");
  MPI_Mrecv(buffer.data(), buffer.room(), MPI_BYTE, &message, &status);
  buffer.expect_message(content(Kind::smooth, big, 3), "Mrecv after one that failed");
  receive(comm, MPI_ANY_TAG, Kind::random, 40, 1, "first, after receives that failed");
  receive(comm, MPI_ANY_TAG, Kind::smooth, big, 2, "second, after receives that failed");
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

}  // namespace

void check_probes(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank > 1) return;
  probe_then_receive(comm, rank);
  keep_order(comm, rank);
  probe_past_an_empty_one(comm, rank);
  probe_then_start(comm, rank);
  probe_then_fail(comm, rank);
}

}  // namespace messages
