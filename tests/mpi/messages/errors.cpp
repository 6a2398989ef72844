// Messages too long, cancelled receives, requests let go of.
#include <algorithm>

#include "messages.h"

namespace messages {
namespace {

int error_class(int code) {
  int result = -1;
  MPI_Error_class(code, &result);
  return result;
}

int handled = 0;
void count_error(MPI_Comm*, int*, ...) {
  ++handled;
}

// One message of `bytes` into `room`; then the communicator still works.
void truncate(MPI_Comm comm, int rank, Kind kind, std::size_t bytes, std::size_t room) {
  const auto message = content(kind, bytes, 5);
  const auto after = content(kind, bytes, 6);
  const std::string what = "truncated, " + std::to_string(bytes) + " into " + std::to_string(room);
  const int count = static_cast<int>(bytes);
  if (rank == 0) {
    for (int tag = 1; tag <= 5; ++tag) MPI_Send(message.data(), count, MPI_BYTE, 1, tag, comm);
    MPI_Send(after.data(), count, MPI_BYTE, 1, 6, comm);
    return;
  }
  Buffer buffer(room);
  MPI_Status statuses[2];
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int code = MPI_Recv(buffer.data(), buffer.room(), MPI_BYTE, 0, 1, comm, statuses);
  expect(error_class(code) == MPI_ERR_TRUNCATE, what + ": Recv");
  MPI_Irecv(buffer.data(), buffer.room(), MPI_BYTE, 0, 2, comm, requests);
  code = MPI_Wait(requests, statuses);
  expect(error_class(code) == MPI_ERR_TRUNCATE, what + ": Wait");
  expect(requests[0] == MPI_REQUEST_NULL, what + ": request");
  MPI_Irecv(buffer.data(), buffer.room(), MPI_BYTE, 0, 3, comm, requests);
  code = MPI_Waitall(2, requests, statuses);
  expect(error_class(code) == MPI_ERR_IN_STATUS, what + ": Waitall");
  expect(error_class(statuses[0].MPI_ERROR) == MPI_ERR_TRUNCATE, what + ": status");
  expect(statuses[1].MPI_ERROR == MPI_SUCCESS, what + ": the other status");
  MPI_Irecv(buffer.data(), buffer.room(), MPI_BYTE, 0, 4, comm, requests);
  int flag = 0;
  do code = MPI_Test(requests, &flag, statuses);
  while (code == MPI_SUCCESS && flag == 0);
  expect(error_class(code) == MPI_ERR_TRUNCATE, what + ": Test");
  MPI_Probe(0, 5, comm, statuses);
  expect_status(statuses[0], 0, 5, bytes, what + ": Probe");
  code = MPI_Recv(buffer.data(), buffer.room(), MPI_BYTE, 0, 5, comm, statuses);
  expect(error_class(code) == MPI_ERR_TRUNCATE, what + ": Recv after Probe");
  Buffer large(bytes);
  code = MPI_Recv(large.data(), large.room(), MPI_BYTE, 0, 6, comm, statuses);
  expect(code == MPI_SUCCESS, what + ": the next message");
  large.expect_message(after, what + ": the next message");
}

void check_truncation(MPI_Comm comm, int rank) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(&count_error, &handler);
  for (const MPI_Errhandler used : {static_cast<MPI_Errhandler>(MPI_ERRORS_RETURN), handler}) {
    // MPICH 4.0 calls MPI_COMM_WORLD's where a request is completed.
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, used);
    MPI_Comm_set_errhandler(comm, used);
    handled = 0;
    for (const Kind kind : {Kind::smooth, Kind::random}) {
      truncate(comm, rank, kind, 100000, 70000);
      truncate(comm, rank, kind, 100000, 20);
      truncate(comm, rank, kind, 100000, 99992);
    }
    if (used == handler && rank == 1) expect(handled >= 30, "the error handler was called");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
}

void check_cancel(MPI_Comm comm, int rank) {
  const auto message = content(Kind::smooth, 100000, 8);
  if (rank == 0) {
    MPI_Recv(nullptr, 0, MPI_BYTE, 1, 1, comm, MPI_STATUS_IGNORE);
    MPI_Send(message.data(), 100000, MPI_BYTE, 1, 2, comm);
    return;
  }
  Buffer buffer(100000);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status{};
  int cancelled = 0;
  MPI_Irecv(buffer.data(), buffer.room(), MPI_BYTE, 0, 2, comm, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  expect(cancelled != 0, "a cancelled receive");
  buffer.expect_message({}, "a cancelled receive");
  MPI_Send(nullptr, 0, MPI_BYTE, 0, 1, comm);
  MPI_Recv(buffer.data(), buffer.room(), MPI_BYTE, 0, 2, comm, &status);
  buffer.expect_message(message, "the message after a cancelled receive");
}

void check_let_go(MPI_Comm comm, int rank) {
  const auto message = content(Kind::smooth, 300000, 9);
  const auto noise = content(Kind::random, 300000, 9);
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) {
    MPI_Isend(message.data(), 300000, MPI_BYTE, 1, 3, comm, &request);
    MPI_Request_free(&request);
    expect(request == MPI_REQUEST_NULL, "Request_free of a send");
    MPI_Isend(noise.data(), 300000, MPI_BYTE, 1, 4, comm, &request);
    MPI_Request_free(&request);
    MPI_Send_init(message.data(), 300000, MPI_BYTE, 1, 5, comm, &request);
    MPI_Start(&request);
    MPI_Request_free(&request);
    MPI_Recv(nullptr, 0, MPI_BYTE, 1, 1, comm, MPI_STATUS_IGNORE);
    return;
  }
  Buffer buffer(300000);
  MPI_Recv(buffer.data(), buffer.room(), MPI_BYTE, 0, 5, comm, MPI_STATUS_IGNORE);
  buffer.expect_message(message, "started, let go of");
  MPI_Recv(buffer.data(), buffer.room(), MPI_BYTE, 0, 3, comm, MPI_STATUS_IGNORE);
  buffer.expect_message(message, "sent, let go of");
  MPI_Recv(buffer.data(), buffer.room(), MPI_BYTE, 0, 4, comm, MPI_STATUS_IGNORE);
  buffer.expect_message(noise, "noise, let go of");
  MPI_Send(nullptr, 0, MPI_BYTE, 0, 1, comm);
}

}  // namespace

void check_errors(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank > 1) return;
  check_truncation(comm, rank);
  check_cancel(comm, rank);
  check_let_go(comm, rank);
}

}  // namespace messages
