#include "comparison/baselines/channel.h"

#include <algorithm>

#include "calibrate/measure/plain_mpi.h"
#include "support/measure.h"

namespace tightwire::comparison {
namespace {

// MPI's own, behind Tightwire.
struct Functions {
  decltype(&MPI_Isend) isend = nullptr;
  decltype(&MPI_Irecv) irecv = nullptr;
  decltype(&MPI_Wait) wait = nullptr;
  decltype(&MPI_Waitall) waitall = nullptr;
  decltype(&MPI_Request_get_status) peek = nullptr;

  Functions() {
    bench::find_plain("PMPI_Isend", isend);
    bench::find_plain("PMPI_Irecv", irecv);
    bench::find_plain("PMPI_Wait", wait);
    bench::find_plain("PMPI_Waitall", waitall);
    bench::find_plain("PMPI_Request_get_status", peek);
  }
};

const Functions& mpi() {
  static const Functions functions;
  return functions;
}

// Away from the program's messages.
MPI_Comm comm() {
  static const MPI_Comm made = [] {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    return copy;
  }();
  return made;
}

}  // namespace

MPI_Request Channel::send(std::span<const std::byte> bytes, int to, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  timed(breakdown_.communicate, [&] {
    mpi().isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, comm(), &request);
  });
  return request;
}

MPI_Request Channel::receive(std::span<std::byte> room, int from, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  timed(breakdown_.communicate, [&] {
    mpi().irecv(room.data(), static_cast<int>(room.size()), MPI_BYTE, from, tag, comm(), &request);
  });
  return request;
}

std::size_t Channel::wait(MPI_Request& request) {
  MPI_Status status;
  timed(breakdown_.wait, [&] { mpi().wait(&request, &status); });
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  return size == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(size);
}

void Channel::wait_all(std::span<MPI_Request> requests) {
  timed(breakdown_.wait, [&] {
    mpi().waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  });
}

// One look drives all that is under way.
void Channel::poll(std::span<MPI_Request> requests) {
  const auto open = std::ranges::find_if(
      requests, [](const MPI_Request& request) { return request != MPI_REQUEST_NULL; });
  if (open == requests.end()) return;
  int done = 0;
  timed(breakdown_.wait, [&] { mpi().peek(*open, &done, MPI_STATUS_IGNORE); });
}

std::span<std::byte> Frame::reserve(std::size_t size) {
  const std::size_t words = size / sizeof(std::max_align_t) + 1;
  if (words > words_.size()) words_.resize(words);
  return {data(), size};
}

Tree::Tree(int rank, int ranks) {
  int mask = 1;
  while (mask < ranks && (rank & mask) == 0) mask <<= 1;
  if (rank != 0) parent = rank - mask;
  below = std::min(mask, ranks - rank);
  for (mask >>= 1; mask > 0; mask >>= 1) {
    const int child = rank + mask;
    if (child < ranks) children.push_back({child, std::min(mask, ranks - child)});
  }
}

}  // namespace tightwire::comparison
