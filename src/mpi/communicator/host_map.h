// Which ranks of a communicator share a host, and which are across the network.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tightwire::mpi {

// Of the ranks of a communicator, in MPI_COMM_WORLD; MPI_UNDEFINED for a process that is not there.
// Local; throws MpiError.
[[nodiscard]] std::vector<int> world_ranks_of(MPI_Comm comm);
// Of the other group's ranks of an intercommunicator.
[[nodiscard]] std::vector<int> remote_world_ranks_of(MPI_Comm comm);

// Made without talking: groups and the job's node map say it all. Both sides of any message see the
// same.
class HostMap {
 public:
  // Throws MpiError.
  explicit HostMap(MPI_Comm comm);
  // Of those that take part in collectives between two groups, this one being number `rank`.
  HostMap(std::vector<int> world_ranks, int rank);

  // False where all messages go to MPI as they come: those between two ranks of an
  // intercommunicator, with a process that is not in this one's MPI_COMM_WORLD, or with nobody
  // across the network. The same on all ranks; what follows is known only where it is true.
  [[nodiscard]] bool usable() const { return !world_ranks_.empty(); }
  // Whether messages to it are worth compressing: it is on another host, or it is another rank of
  // this one and same-host is compress. False for MPI_PROC_NULL, MPI_ANY_SOURCE and ranks that do
  // not exist.
  [[nodiscard]] bool across(int peer) const {
    return peer >= 0 && static_cast<std::size_t>(peer) < across_.size() &&
           across_[static_cast<std::size_t>(peer)] != 0;
  }
  // To how many ranks that is so.
  [[nodiscard]] int ranks_across() const {
    return static_cast<int>(std::ranges::count_if(across_, [](char is) { return is != 0; }));
  }
  // Of ranks that exist.
  [[nodiscard]] bool other_host(int peer) const {
    return nodes_[static_cast<std::size_t>(peer)] != nodes_[static_cast<std::size_t>(rank_)];
  }
  // Whether a receive from `source` could meet a message from across.
  [[nodiscard]] bool may_cross(int source) const {
    return source == MPI_ANY_SOURCE || across(source);
  }
  [[nodiscard]] int world_rank(int peer) const {
    return world_ranks_[static_cast<std::size_t>(peer)];
  }
  [[nodiscard]] const std::vector<int>& world_ranks() const { return world_ranks_; }
  // The node of each rank, by some number.
  [[nodiscard]] const std::vector<int>& nodes() const { return nodes_; }

 private:
  void find_ways(std::vector<int> world_ranks);

  int rank_ = 0;
  std::vector<int> nodes_;
  std::vector<int> world_ranks_;
  std::vector<char> across_;
};

}  // namespace tightwire::mpi
