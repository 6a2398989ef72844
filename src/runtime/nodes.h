// Which ranks share a host.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace tightwire::runtime {

class NodeMap {
 public:
  // Each `host_ranks` ranks of a host count as a host. Collective over MPI_COMM_WORLD.
  [[nodiscard]] static NodeMap of_world(int host_ranks);

  // By some number.
  [[nodiscard]] int node_of(int world_rank) const {
    return node_of_world_rank_[static_cast<std::size_t>(world_rank)];
  }

  // How many ranks are on it.
  [[nodiscard]] std::size_t ranks_of(int node) const;

  // How many hosts the job has.
  [[nodiscard]] std::size_t nodes() const;

 private:
  std::vector<int> node_of_world_rank_;
};

}  // namespace tightwire::runtime
