#include "mpi/communicator/host_map.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mpi/error.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {

std::vector<int> world_ranks_of(MPI_Comm comm) {
  int size = 0;
  check(PMPI_Comm_size(comm, &size));
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  check(PMPI_Comm_group(comm, &group));
  check(PMPI_Comm_group(MPI_COMM_WORLD, &world));
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> in_world(ranks.size());
  check(PMPI_Group_translate_ranks(group, size, ranks.data(), world, in_world.data()));
  check(PMPI_Group_free(&group));
  check(PMPI_Group_free(&world));
  return in_world;
}

HostMap::HostMap(MPI_Comm comm) {
  int inter = 0;
  check(PMPI_Comm_test_inter(comm, &inter));
  if (inter != 0) return;
  check(PMPI_Comm_rank(comm, &rank_));
  std::vector<int> world_ranks = world_ranks_of(comm);
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
