// A message of more than 2 GiB from rank 0 to rank 1, by each way to send and to receive it.
#include <climits>
#include <cstring>

#include "large.h"

namespace large {
namespace {

constexpr int count = 270'000'000;
constexpr std::size_t bytes = std::size_t{count} * sizeof(double);
static_assert(bytes > std::size_t{INT_MAX} + 1);
constexpr int tag = 5;
constexpr int sender = 3;  // whose values they are

// What rank 1 has of them before they come.
void spoil(Values<double>& values) {
  std::memset(static_cast<void*>(values.data()), 0xee, values.count() * sizeof(double));
}

std::size_t wrong_size(const MPI_Status& status) {
  int received = 0;
  MPI_Count elements = 0;
  MPI_Get_count(&status, MPI_DOUBLE, &received);
  MPI_Get_elements_x(&status, MPI_DOUBLE, &elements);
  return received == count && elements == count && status.MPI_TAG == tag ? 0 : 1;
}

// Rank 0 sends `values`, and rank 1 receives them and gives a status.
template <class Send, class Receive>
int transfer(Send&& send, Receive&& receive) {
  Values<double> values(rank < 2 ? count : 0);
  std::size_t wrong = 0;
  if (rank == 0) {
    fill(values, sender);
    send(values.data());
  } else if (rank == 1) {
    spoil(values);
    const MPI_Status status = receive(values.data());
    wrong = wrong_size(status) + wrong_values(values, 0, count, sender);
  }
  return report(bytes, wrong);
}

void send_to_1(double* values) {
  MPI_Send(values, count, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
}

MPI_Status receive_from_0(double* values) {
  MPI_Status status{};
  MPI_Recv(values, count, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, &status);
  return status;
}

MPI_Datatype blocks() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(1000, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

}  // namespace

int send() {
  return transfer(&send_to_1, &receive_from_0);
}

// Which does not shrink.
int send_noise() {
  const auto noise = [](std::size_t i) {
    std::uint64_t bits = (i + 1) * 0x9E3779B97F4A7C15U;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    return bits ^ (bits >> 31);
  };
  Values<std::uint64_t> values(rank < 2 ? count : 0);
  std::size_t wrong = 0;
  if (rank == 0) {
    for (std::size_t i = 0; i < values.count(); ++i) values[i] = noise(i);
    MPI_Send(values.data(), count, MPI_UINT64_T, 1, tag, MPI_COMM_WORLD);
  } else if (rank == 1) {
    std::memset(values.data(), 0xee, bytes);
    MPI_Recv(values.data(), count, MPI_UINT64_T, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < values.count(); ++i) wrong += values[i] == noise(i) ? 0 : 1;
  }
  return report(bytes, wrong);
}

int send_blocks() {
  MPI_Datatype type = blocks();
  const int code = transfer(
      [&](double* values) { MPI_Send(values, count / 1000, type, 1, tag, MPI_COMM_WORLD); },
      &receive_from_0);
  MPI_Type_free(&type);
  return code;
}

int isend() {
  return transfer(
      [](double* values) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Isend(values, count, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &request);
        MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
      },
      [](double* values) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Status status{};
        MPI_Irecv(values, count, MPI_DOUBLE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request);
        for (int done = 0; done == 0;) MPI_Test(&request, &done, &status);
        return status;
      });
}

// Back comes one value.
int sendrecv() {
  double other = 0;
  return transfer(
      [&](double* values) {
        MPI_Sendrecv(values, count, MPI_DOUBLE, 1, tag, &other, 1, MPI_DOUBLE, 1, tag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      },
      [&](double* values) {
        MPI_Status status{};
        MPI_Sendrecv(&other, 1, MPI_DOUBLE, 0, tag, values, count, MPI_DOUBLE, 0, tag,
                     MPI_COMM_WORLD, &status);
        return status;
      });
}

int probe() {
  return transfer(&send_to_1, [](double* values) {
    MPI_Status status{};
    MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
    return wrong_size(status) == 0 ? receive_from_0(values) : status;
  });
}

int mprobe() {
  return transfer(&send_to_1, [](double* values) {
    MPI_Status status{};
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Mprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &message, &status);
    if (wrong_size(status) == 0) MPI_Mrecv(values, count, MPI_DOUBLE, &message, &status);
    return status;
  });
}

int persistent() {
  return transfer(
      [](double* values) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Send_init(values, count, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
      },
      [](double* values) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Status status{};
        MPI_Recv_init(values, count, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, &status);
        MPI_Request_free(&request);
        return status;
      });
}

// More elements than int can count.
int send_c() {
#if MPI_VERSION >= 4
  constexpr MPI_Count more = MPI_Count{INT_MAX} + 1000;
  Values<unsigned char> values(rank < 2 ? more : 0);
  std::size_t wrong = 0;
  if (rank == 0) {
    fill(values, sender);
    MPI_Send_c(values.data(), more, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
  } else if (rank == 1) {
    std::memset(values.data(), 0xee, more);
    MPI_Status status{};
    MPI_Count received = 0;
    MPI_Recv_c(values.data(), more, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &status);
    MPI_Get_count_c(&status, MPI_BYTE, &received);
    wrong = (received == more ? 0 : 1) + wrong_values(values, 0, more, sender);
  }
  return report(more, wrong);
#else
  return report(0, 0);
#endif
}

}  // namespace large
