// Every kind of call, with a buffer to send from and one to receive in.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace devices {

constexpr int count = 1 << 12;  // integers to each rank
constexpr int most_ranks = 4;
constexpr std::size_t room = most_ranks * count;
constexpr int tag = 3;

extern int rank;
extern MPI_Comm graph;  // in which two ranks each are each other's neighbours

inline int peer() {
  return rank ^ 1;
}

struct Buffers {
  int* send;
  int* receive;
  // Of the calls that return at once.
  MPI_Request request = MPI_REQUEST_NULL;
};

struct Call {
  const char* name;
  std::function<void(Buffers&)> make;
};

// Of a persistent request.
inline void start_and_wait(MPI_Request& request) {
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
}

// In all their forms.
[[nodiscard]] const std::vector<Call>& collectives();
// Some with MPI_IN_PLACE, and with datatypes and blocks that leave gaps.
[[nodiscard]] const std::vector<Call>& special_collectives();
[[nodiscard]] const std::vector<Call>& special_messages();
// All ways to send, and all ways to receive what is sent by one.
[[nodiscard]] const std::vector<Call>& sends();
[[nodiscard]] const std::vector<Call>& receives();

}  // namespace devices
