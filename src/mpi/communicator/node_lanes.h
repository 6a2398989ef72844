// The ranks of a communicator by host, and lanes across the hosts.
//
// Where several ranks share a host, each of them carries a slice of a message across the network:
// lane k joins the k-th ranks of all hosts. Per host, a message crosses the network as often as
// with one rank there, and all ranks' cores code. A host with more ranks than there are lanes has
// some without one: they give their values to the others and get the result from them.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "mpi/communicator/communicator.h"
#include "policy/cost/tree.h"

namespace tightwire::mpi {

// Hosts count in the order of their lowest ranks, ranks of a host in the order of the communicator.
// A host index is a rank of a lane.
struct NodeLanes {
  std::vector<std::vector<int>> ranks;  // [host][local]: a rank of the program's communicator
  int host = 0;                         // where this rank is
  int local = 0;
  int count = 0;        // lanes: the least number of ranks that a host has
  int crossings = 1;    // ranks of a host whose right neighbour is elsewhere, at most
  bool even = true;     // all hosts have so many: every rank has a lane
  Communicator inside;  // the ranks of this host, by local index
  Communicator lane;    // by host index; usable() where this rank has one

  [[nodiscard]] int hosts() const { return static_cast<int>(ranks.size()); }
  [[nodiscard]] int locals() const {
    return static_cast<int>(ranks[static_cast<std::size_t>(host)].size());
  }
  [[nodiscard]] int rank_at(int of_host, int of_local) const {
    return ranks[static_cast<std::size_t>(of_host)][static_cast<std::size_t>(of_local)];
  }
  [[nodiscard]] bool has_lane() const { return local < count; }
  // Of a rank of the program's communicator.
  [[nodiscard]] policy::HostPlace place_of(int rank) const;
};

// Of a usable communicator, of which they get some of the tags in time. Nothing where lanes gain
// nothing: on one host, or where some host has a single rank. Made without talking; the same on all
// ranks.
[[nodiscard]] std::unique_ptr<NodeLanes> make_node_lanes(const Communicator& whole);
// Once it has tags, or others.
void set_tags_of_lanes(Communicator& whole);

}  // namespace tightwire::mpi
