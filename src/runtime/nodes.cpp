#include "runtime/nodes.h"

#include <algorithm>
#include <numeric>
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

std::size_t NodeMap::nodes() const {
  return std::set<int>(node_of_world_rank_.begin(), node_of_world_rank_.end()).size();
}

std::vector<int> NodeMap::nodes_of(MPI_Comm comm) const {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> nodes(ranks.size());
  PMPI_Group_translate_ranks(group, size, ranks.data(), world, nodes.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  if (std::find(nodes.begin(), nodes.end(), MPI_UNDEFINED) != nodes.end()) return {};
  for (int& node : nodes) node = node_of_world_rank_[static_cast<std::size_t>(node)];
  return nodes;
}

}  // namespace tightwire::runtime
