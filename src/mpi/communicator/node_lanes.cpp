#include "mpi/communicator/node_lanes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

std::vector<std::vector<int>> ranks_by_host(const std::vector<int>& nodes) {
  std::vector<int> seen;
  std::vector<std::vector<int>> ranks;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    const auto found = std::find(seen.begin(), seen.end(), nodes[rank]);
    const auto host = static_cast<std::size_t>(found - seen.begin());
    if (found == seen.end()) {
      seen.push_back(nodes[rank]);
      ranks.emplace_back();
    }
    ranks[host].push_back(static_cast<int>(rank));
  }
  return ranks;
}

int most_crossings(const std::vector<std::vector<int>>& ranks, const std::vector<int>& nodes) {
  std::ptrdiff_t most = 0;
  for (const std::vector<int>& host : ranks) {
    most = std::max(most, std::count_if(host.begin(), host.end(), [&](int rank) {
                      const auto at = static_cast<std::size_t>(rank);
                      return nodes[(at + 1) % nodes.size()] != nodes[at];
                    }));
  }
  return static_cast<int>(most);
}

// `members`: the ranks of `comm` in the part that is made.
void split(MPI_Comm comm, int color, int rank, std::vector<int> members, Communicator& part) {
  check(PMPI_Comm_split(comm, color, rank, &part.comm));
  if (!part.usable()) return;
  check(PMPI_Comm_set_errhandler(part.comm, MPI_ERRORS_RETURN));
  part.rank = rank;
  part.size = static_cast<int>(members.size());
  part.program_ranks = std::move(members);
}

}  // namespace

int NodeLanes::host_of(int rank) const {
  const auto found = std::find_if(ranks.begin(), ranks.end(), [&](const std::vector<int>& there) {
    return std::find(there.begin(), there.end(), rank) != there.end();
  });
  return static_cast<int>(found - ranks.begin());
}

std::unique_ptr<NodeLanes> make_node_lanes(MPI_Comm comm, int rank, const std::vector<int>& nodes) {
  auto lanes = std::make_unique<NodeLanes>();
  lanes->ranks = ranks_by_host(nodes);
  const auto fewer = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  const auto [least, most] = std::minmax_element(lanes->ranks.begin(), lanes->ranks.end(), fewer);
  if (lanes->ranks.size() < 2 || least->size() < 2) return nullptr;
  lanes->count = static_cast<int>(least->size());
  lanes->even = least->size() == most->size();
  lanes->crossings = most_crossings(lanes->ranks, nodes);
  lanes->host = lanes->host_of(rank);
  const std::vector<int>& here = lanes->ranks[static_cast<std::size_t>(lanes->host)];
  lanes->local = static_cast<int>(std::find(here.begin(), here.end(), rank) - here.begin());
  split(comm, lanes->host, lanes->local, here, lanes->inside);
  std::vector<int> members;
  for (int host = 0; lanes->has_lane() && host < lanes->hosts(); ++host) {
    members.push_back(lanes->rank_at(host, lanes->local));
  }
  split(comm, lanes->has_lane() ? lanes->local : MPI_UNDEFINED, lanes->host, members, lanes->lane);
  return lanes;
}

void release(NodeLanes& lanes) {
  if (lanes.lane.usable()) PMPI_Comm_free(&lanes.lane.comm);
  PMPI_Comm_free(&lanes.inside.comm);
}

}  // namespace tightwire::mpi
