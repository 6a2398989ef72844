#include "runtime/nodes.h"

#include <algorithm>
#include <set>

namespace tightwire::runtime {

NodeMap NodeMap::of_world(int host_ranks) {
  int rank = 0;
  int ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);

  // A node is named by the lowest world rank on it.
  MPI_Comm host = MPI_COMM_NULL;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
  int local = 0;
  PMPI_Comm_rank(host, &local);
  MPI_Comm part = MPI_COMM_NULL;
  PMPI_Comm_split(host, local / host_ranks, local, &part);
  int lowest = rank;
  PMPI_Bcast(&lowest, 1, MPI_INT, 0, part);
  PMPI_Comm_free(&part);
  PMPI_Comm_free(&host);

  NodeMap map;
  map.node_of_world_rank_.resize(static_cast<std::size_t>(ranks));
  PMPI_Allgather(&lowest, 1, MPI_INT, map.node_of_world_rank_.data(), 1, MPI_INT, MPI_COMM_WORLD);
  return map;
}

std::size_t NodeMap::ranks_of(int node) const {
  return static_cast<std::size_t>(std::ranges::count(node_of_world_rank_, node));
}

std::size_t NodeMap::nodes() const {
  return std::set<int>(node_of_world_rank_.begin(), node_of_world_rank_.end()).size();
}

}  // namespace tightwire::runtime
