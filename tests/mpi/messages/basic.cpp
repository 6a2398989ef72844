// Blocking and non-blocking sends of every kind against every kind of receive.
#include <algorithm>

#include "messages.h"

namespace messages {
namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

using Send = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
using StartSend = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

struct SendCall {
  const char* name;
  Send send;
  StartSend start;
  bool ready;  // needs a receive that is posted
};
const SendCall calls[] = {
    {"Send", &MPI_Send, nullptr, false},     {"Ssend", &MPI_Ssend, nullptr, false},
    {"Bsend", &MPI_Bsend, nullptr, false},   {"Rsend", &MPI_Rsend, nullptr, true},
    {"Isend", nullptr, &MPI_Isend, false},   {"Issend", nullptr, &MPI_Issend, false},
    {"Ibsend", nullptr, &MPI_Ibsend, false}, {"Irsend", nullptr, &MPI_Irsend, true}};

// Doubles where the size allows.
void send_with(const SendCall& call, const std::vector<unsigned char>& message, int tag,
               MPI_Comm comm) {
  const bool doubles = message.size() % sizeof(double) == 0;
  const int count = static_cast<int>(doubles ? message.size() / sizeof(double) : message.size());
  const MPI_Datatype type = doubles ? MPI_DOUBLE : MPI_BYTE;
  if (call.send != nullptr) {
    call.send(message.data(), count, type, 1, tag, comm);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  call.start(message.data(), count, type, 1, tag, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(request == MPI_REQUEST_NULL, std::string(call.name) + ": request after Wait");
}

// A posted receive that the ready modes may rely on, into a buffer larger than the message.
void pass(const SendCall& call, Kind kind, std::size_t bytes, int tag, MPI_Comm comm) {
  const std::vector<unsigned char> message = content(kind, bytes, tag);
  const std::string what = std::string(call.name) + " of " + std::to_string(bytes);
  if (rank_in(comm) == 0) {
    if (call.ready) MPI_Recv(nullptr, 0, MPI_BYTE, 1, 1, comm, MPI_STATUS_IGNORE);
    send_with(call, message, tag, comm);
  } else if (rank_in(comm) == 1) {
    const std::size_t room = tag % 2 == 0 ? 0 : 5000;
    Buffer buffer(bytes + room);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status{};
    const int source = tag % 3 == 0 ? MPI_ANY_SOURCE : 0;
    MPI_Irecv(buffer.data(), buffer.room(), MPI_BYTE, source, tag, comm, &request);
    if (call.ready) MPI_Send(nullptr, 0, MPI_BYTE, 0, 1, comm);
    MPI_Wait(&request, &status);
    buffer.expect_message(message, what);
    expect_status(status, 0, tag, bytes, what);
    expect(request == MPI_REQUEST_NULL, what + ": request");
  }
}

}  // namespace

void check_sends(MPI_Comm comm) {
  std::vector<unsigned char> attached((16 << 20) + MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(attached.data(), static_cast<int>(attached.size()));
  int tag = 10;
  for (const SendCall& call : calls) {
    for (const std::size_t bytes : sizes) {
      for (const Kind kind : {Kind::smooth, Kind::random}) pass(call, kind, bytes, tag++, comm);
    }
  }
  void* detached = nullptr;
  int size = 0;
  MPI_Buffer_detach(&detached, &size);
}

// Blocking receives, wildcards, and the order of messages of one sender.
void check_receives(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  int tag = 0;
  for (const std::size_t bytes : sizes) {
    for (const Kind kind : {Kind::random, Kind::smooth}) {
      const std::vector<unsigned char> message = content(kind, bytes, tag);
      const std::string what = "Recv of " + std::to_string(bytes);
      if (rank_in(comm) == 0) {
        MPI_Send(message.data(), static_cast<int>(bytes), MPI_BYTE, 1, tag, comm);
        MPI_Send(message.data(), static_cast<int>(bytes), MPI_BYTE, 1, tag, comm);
      } else if (rank_in(comm) == 1) {
        MPI_Status status{};
        Buffer buffer(bytes + 100000);
        MPI_Recv(buffer.data(), buffer.room(), MPI_BYTE, 0, tag, comm, &status);
        buffer.expect_message(message, what);
        expect_status(status, 0, tag, bytes, what);
        Buffer other(bytes);
        MPI_Recv(other.data(), other.room(), MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        other.expect_message(message, what + " by wildcards");
        expect_status(status, 0, tag, bytes, what + " by wildcards");
      }
      ++tag;
    }
  }
  // To oneself, and to nobody.
  const std::vector<unsigned char> message = content(Kind::smooth, 100000, 7);
  Buffer buffer(message.size());
  MPI_Request request = MPI_REQUEST_NULL;
  const int self = rank_in(comm);
  MPI_Isend(message.data(), 100000, MPI_BYTE, self, 3, comm, &request);
  MPI_Recv(buffer.data(), 100000, MPI_BYTE, self, 3, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  buffer.expect_message(message, "to oneself");
  MPI_Status status{};
  MPI_Send(message.data(), 100000, MPI_BYTE, MPI_PROC_NULL, 3, comm);
  MPI_Recv(buffer.data(), 100000, MPI_BYTE, MPI_PROC_NULL, 3, comm, &status);
  expect_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, "from nobody");
}

void check_combined(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  const int rank = rank_in(comm);
  const int right = (rank + 1) % size;
  const int left = (rank + size - 1) % size;
  for (const std::size_t bytes : sizes) {
    for (const Kind kind : {Kind::random, Kind::smooth}) {
      const std::vector<unsigned char> mine = content(kind, bytes, rank);
      const std::vector<unsigned char> theirs = content(kind, bytes, left);
      const int count = static_cast<int>(bytes);
      MPI_Status status{};
      Buffer buffer(bytes + 24);
      MPI_Sendrecv(mine.data(), count, MPI_BYTE, right, 5, buffer.data(), buffer.room(), MPI_BYTE,
                   left, 5, comm, &status);
      buffer.expect_message(theirs, "Sendrecv");
      expect_status(status, left, 5, bytes, "Sendrecv");
      Buffer replaced(bytes);
      std::copy(mine.begin(), mine.end(), replaced.data());
      MPI_Sendrecv_replace(replaced.data(), count, MPI_BYTE, right, 6, left, 6, comm, &status);
      replaced.expect_message(theirs, "Sendrecv_replace");
      expect_status(status, left, 6, bytes, "Sendrecv_replace");
    }
  }
}

}  // namespace messages
