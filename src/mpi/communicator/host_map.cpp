#include "mpi/communicator/host_map.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mpi/error.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {

namespace {

// Frees the group.
std::vector<int> world_ranks_in(MPI_Group group) {
  int size = 0;
  MPI_Group world = MPI_GROUP_NULL;
  check(PMPI_Group_size(group, &size));
  check(PMPI_Comm_group(MPI_COMM_WORLD, &world));
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> in_world(ranks.size());
  check(PMPI_Group_translate_ranks(group, size, ranks.data(), world, in_world.data()));
  check(PMPI_Group_free(&group));
  check(PMPI_Group_free(&world));
  return in_world;
}

}  // namespace

std::vector<int> world_ranks_of(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  check(PMPI_Comm_group(comm, &group));
  return world_ranks_in(group);
}

std::vector<int> remote_world_ranks_of(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  check(PMPI_Comm_remote_group(comm, &group));
  return world_ranks_in(group);
}

HostMap::HostMap(MPI_Comm comm) {
  int inter = 0;
  check(PMPI_Comm_test_inter(comm, &inter));
  if (inter != 0) return;
  check(PMPI_Comm_rank(comm, &rank_));
  find_ways(world_ranks_of(comm));
}

HostMap::HostMap(std::vector<int> world_ranks, int rank) : rank_(rank) {
  find_ways(std::move(world_ranks));
}

void HostMap::find_ways(std::vector<int> world_ranks) {
  if (std::ranges::find(world_ranks, MPI_UNDEFINED) != world_ranks.end()) return;
  const runtime::Runtime& runtime = runtime::current();
  for (const int rank : world_ranks) nodes_.push_back(runtime.nodes.node_of(rank));
  const bool same_host_too = runtime.settings.same_host == settings::SameHost::compress;
  for (int peer = 0; peer < static_cast<int>(nodes_.size()); ++peer) {
    across_.push_back(static_cast<char>(peer != rank_ && (same_host_too || other_host(peer))));
  }
  const bool any = std::ranges::find(across_, 1) != across_.end();
  if (any) world_ranks_ = std::move(world_ranks);
}

}  // namespace tightwire::mpi
