#include "callbacks.h"

#include <cstdio>

namespace callbacks {
namespace {

int failed = 0;

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

void receive_with_handle(std::vector<int>& values, int number, MPI_Comm comm) {
  MPI_Message handle = MPI_MESSAGE_NULL;
  MPI_Status status;
  MPI_Mprobe(1, number, comm, &handle, &status);
  int count = 0;
  MPI_Get_count(&status, MPI_INT, &count);
  expect(count == values_of_a_message, "the count of a matched probe");
  MPI_Mrecv(values.data(), values_of_a_message, MPI_INT, &handle, MPI_STATUS_IGNORE);
}

void receive_after_probe(std::vector<int>& values, int number, MPI_Comm comm) {
  MPI_Status status;
  MPI_Probe(1, number, comm, &status);
  int count = 0;
  MPI_Get_count(&status, MPI_INT, &count);
  expect(count == values_of_a_message, "the count of a probe");
  MPI_Recv(values.data(), values_of_a_message, MPI_INT, 1, number, comm, MPI_STATUS_IGNORE);
}

void receive_with_request(Way way, std::vector<int>& values, int number, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(values.data(), values_of_a_message, MPI_INT, 1, number, comm, &request);
  if (way == Way::wait) MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (way == Way::waitall) MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  int done = way == Way::test ? 0 : 1;
  while (done == 0) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

void exchange(int number, MPI_Comm comm, const char* what) {
  const int rank = rank_in(comm);
  std::vector<int> mine = message(number + rank);
  std::vector<int> other(values_of_a_message);
  MPI_Sendrecv(mine.data(), values_of_a_message, MPI_INT, 1 - rank, number, other.data(),
               values_of_a_message, MPI_INT, 1 - rank, number, comm, MPI_STATUS_IGNORE);
  expect_message(other, number + 1 - rank, what);
}

}  // namespace

void expect(bool holds, const char* what) {
  if (holds) return;
  ++failed;
  std::printf("wrong: %s, rank %d\n", what, rank_in(MPI_COMM_WORLD));
  std::fflush(stdout);
}

int failures() {
  return failed;
}

std::vector<int> message(int number) {
  std::vector<int> values(values_of_a_message);
  for (int i = 0; i < values_of_a_message; ++i)
    values[static_cast<std::size_t>(i)] = number + i / 8;
  return values;
}

void expect_message(const std::vector<int>& values, int number, const char* what) {
  expect(values == message(number), what);
}

void send_to_0(int number, MPI_Comm comm) {
  const std::vector<int> values = message(number);
  MPI_Send(values.data(), values_of_a_message, MPI_INT, 0, number, comm);
}

void receive_from_1(int number, MPI_Comm comm, const char* what) {
  receive_from_1(Way::recv, number, comm, what);
}

void receive_from_1(Way way, int number, MPI_Comm comm, const char* what) {
  std::vector<int> values(values_of_a_message);
  switch (way) {
    case Way::recv:
      MPI_Recv(values.data(), values_of_a_message, MPI_INT, 1, number, comm, MPI_STATUS_IGNORE);
      break;
    case Way::wait:
    case Way::waitall:
    case Way::test:
      receive_with_request(way, values, number, comm);
      break;
    case Way::probe:
      receive_after_probe(values, number, comm);
      break;
    case Way::mprobe:
      receive_with_handle(values, number, comm);
      break;
    case Way::sendrecv:
      MPI_Sendrecv(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, values.data(), values_of_a_message,
                   MPI_INT, 1, number, comm, MPI_STATUS_IGNORE);
  }
  expect_message(values, number, what);
}

void expect_working(MPI_Comm comm, const char* what) {
  std::vector<int> values = message(rank_in(comm) == 0 ? 5 : 0);
  MPI_Bcast(values.data(), values_of_a_message, MPI_INT, 0, comm);
  expect_message(values, 5, what);
  std::vector<int> sum(values_of_a_message);
  MPI_Allreduce(values.data(), sum.data(), values_of_a_message, MPI_INT, MPI_SUM, comm);
  expect(sum.back() == 2 * values.back(), what);
  exchange(7, comm, what);
}

}  // namespace callbacks
