#include "mpi/communicator/node_lanes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tightwire::mpi {
namespace {

// Algorithms have less than 16 tags of their own.
constexpr int inside_tags = 16;
constexpr int lane_tags = 32;

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

// `members`: the ranks of `whole` in the part, this one being number `rank` of them.
void make_part(const Communicator& whole, std::vector<int> members, int rank, Communicator& part) {
  part.comm = whole.comm;
  part.rank = rank;
  part.size = static_cast<int>(members.size());
  for (const int member : members) part.addresses.push_back(whole.address(member));
  part.program_ranks = std::move(members);
}

}  // namespace

policy::HostPlace NodeLanes::place_of(int rank) const {
  policy::HostPlace place;
  for (const std::vector<int>& there : ranks) {
    const auto found = std::find(there.begin(), there.end(), rank);
    place.local = static_cast<int>(found - there.begin());
    if (found != there.end()) break;
    ++place.host;
  }
  return place;
}

std::unique_ptr<NodeLanes> make_node_lanes(const Communicator& whole) {
  const std::vector<int>& nodes = whole.hosts->nodes();
  auto lanes = std::make_unique<NodeLanes>();
  lanes->ranks = ranks_by_host(nodes);
  const auto fewer = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  const auto [least, most] = std::minmax_element(lanes->ranks.begin(), lanes->ranks.end(), fewer);
  if (lanes->ranks.size() < 2 || least->size() < 2) return nullptr;
  lanes->count = static_cast<int>(least->size());
  lanes->even = least->size() == most->size();
  lanes->crossings = most_crossings(lanes->ranks, nodes);
  const policy::HostPlace own = lanes->place_of(whole.rank);
  lanes->host = own.host;
  lanes->local = own.local;
  const std::vector<int>& here = lanes->ranks[static_cast<std::size_t>(lanes->host)];
  make_part(whole, here, lanes->local, lanes->inside);
  if (!lanes->has_lane()) return lanes;
  std::vector<int> members;
  members.reserve(static_cast<std::size_t>(lanes->hosts()));
  for (int host = 0; host < lanes->hosts(); ++host) {
    members.push_back(lanes->rank_at(host, lanes->local));
  }
  make_part(whole, members, lanes->host, lanes->lane);
  return lanes;
}

void set_tags_of_lanes(Communicator& whole) {
  whole.node_lanes->inside.first_tag = whole.first_tag + inside_tags;
  whole.node_lanes->lane.first_tag = whole.first_tag + lane_tags;
}

}  // namespace tightwire::mpi
