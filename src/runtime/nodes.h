// Which ranks share a host.
#pragma once

#include <mpi.h>

#include <vector>

namespace tightwire::runtime {

class NodeMap {
 public:
  // Each `host_ranks` ranks of a host count as a host. Collective over MPI_COMM_WORLD.
  [[nodiscard]] static NodeMap of_world(int host_ranks);

  // The node of every rank of a communicator, or empty if some of them are not in this process's
  // MPI_COMM_WORLD (spawned or connected later). Local.
  [[nodiscard]] std::vector<int> nodes_of(MPI_Comm comm) const;

  // How many hosts the job has.
  [[nodiscard]] std::size_t nodes() const;

 private:
  std::vector<int> node_of_world_rank_;
};

}  // namespace tightwire::runtime
