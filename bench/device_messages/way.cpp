#include "device_messages/way.h"

#include <array>

#include "calibrate/measure/mode.h"
#include "calibrate/measure/world.h"

namespace tightwire::device_messages_bench {

Way::Way(bool by_hand, const Memory& own, std::span<const Memory> come)
    : mpi_(by_hand ? calibrate::plain_mpi() : calibrate::called_by_programs()),
      by_hand_(by_hand),
      own_(own),
      come_(come),
      rank_(calibrate::world_rank()),
      size_(calibrate::world_size()) {}

void Way::perform(const std::string& pattern) const {
  if (pattern == "allreduce") return allreduce();
  if (pattern == "bcast") return bcast();
  if (pattern == "scatter") return scatter();
  if (pattern == "gather") return gather();
  if (pattern == "allgather") return allgather();
  if (pattern == "alltoall") return alltoall();
  exchange(messages_of(pattern));
}

std::size_t Way::source_of(const std::string& pattern, std::size_t i) const {
  const auto block = static_cast<std::size_t>(this->block());
  const std::size_t first = static_cast<std::size_t>(rank_) * block;
  if (pattern == "scatter") return first + i;
  if (pattern == "alltoall") return first + i % block;
  if (pattern == "gather" || pattern == "allgather") return i % block;
  return i;
}

std::size_t Way::come(const std::string& pattern) const {
  const auto block = static_cast<std::size_t>(this->block());
  if (pattern == "scatter") return block;
  if ((pattern == "gather" && rank_ != 0) || (pattern == "bcast" && rank_ == 0)) return 0;
  if (pattern == "gather" || pattern == "allgather" || pattern == "alltoall") {
    return block * static_cast<std::size_t>(size_);
  }
  return own_.ints;
}

void Way::allreduce() const {
  to_host(own_);
  mpi_.allreduce(of(own_), of(come_[0]), count(), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  to_device(come_[0]);
}

void Way::bcast() const {
  const Memory& memory = rank_ == 0 ? own_ : come_[0];
  if (rank_ == 0) to_host(memory);
  mpi_.bcast(of(memory), count(), MPI_FLOAT, 0, MPI_COMM_WORLD);
  if (rank_ != 0) to_device(memory);
}

void Way::scatter() const {
  if (rank_ == 0) to_host(own_);
  mpi_.scatter(of(own_), block(), MPI_FLOAT, of(come_[0]), block(), MPI_FLOAT, 0, MPI_COMM_WORLD);
  to_device(block_of(come_[0]));
}

void Way::gather() const {
  to_host(block_of(own_));
  mpi_.gather(of(own_), block(), MPI_FLOAT, of(come_[0]), block(), MPI_FLOAT, 0, MPI_COMM_WORLD);
  if (rank_ == 0) to_device(come_[0]);
}

void Way::allgather() const {
  to_host(block_of(own_));
  mpi_.allgather(of(own_), block(), MPI_FLOAT, of(come_[0]), block(), MPI_FLOAT, MPI_COMM_WORLD);
  to_device(come_[0]);
}

void Way::alltoall() const {
  to_host(own_);
  mpi_.alltoall(of(own_), block(), MPI_FLOAT, of(come_[0]), block(), MPI_FLOAT, MPI_COMM_WORLD);
  to_device(come_[0]);
}

// There and back, so many at once.
void Way::exchange(int messages) const {
  if (rank_ == 0) send(messages);
  receive(messages);
  if (rank_ == 1) send(messages);
}

void Way::send(int messages) const {
  std::array<MPI_Request, messages_of_window> requests;
  for (int i = 0; i < messages; ++i) {
    to_host(own_);
    mpi_.isend(of(own_), count(), MPI_FLOAT, 1 - rank_, i, MPI_COMM_WORLD, &requests[i]);
  }
  mpi_.waitall(messages, requests.data(), MPI_STATUSES_IGNORE);
}

void Way::receive(int messages) const {
  std::array<MPI_Request, messages_of_window> requests;
  for (int i = 0; i < messages; ++i) {
    mpi_.irecv(of(come_[i]), count(), MPI_FLOAT, 1 - rank_, i, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = 0; i < messages; ++i) {
    mpi_.waitall(1, &requests[i], MPI_STATUSES_IGNORE);
    to_device(come_[i]);
  }
}

namespace {

constexpr const char* all_patterns[] = {"message", "window", "allreduce", "bcast",
                                        "scatter", "gather", "allgather", "alltoall"};

}  // namespace

std::span<const char* const> patterns() {
  return all_patterns;
}

bool is_collective(const std::string& pattern) {
  return pattern != "message" && pattern != "window";
}

int messages_of(const std::string& pattern) {
  return pattern == "window" ? messages_of_window : 1;
}

}  // namespace tightwire::device_messages_bench
