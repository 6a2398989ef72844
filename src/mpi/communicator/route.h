// Who of a communicator's processes is across the network, as both sides of a message see it.
#pragma once

#include <mpi.h>

#include <atomic>
#include <memory>
#include <vector>

#include "policy/settings_resolver.h"

namespace tightwire::mpi {

// What tightwire keeps for a communicator of the program. Made at the first message, without
// talking: groups and the node map say it all. A request holds on to it beyond the communicator.
class Route : public std::enable_shared_from_this<Route> {
 public:
  explicit Route(MPI_Comm comm);

  // False for a communicator whose messages all go to MPI as they come: between groups, with a
  // process that is not in this one's MPI_COMM_WORLD, or with nobody across the network. Both
  // sides of any message across the network see the same.
  [[nodiscard]] bool usable() const { return !world_ranks_.empty(); }
  // False for MPI_PROC_NULL, MPI_ANY_SOURCE and ranks that do not exist.
  [[nodiscard]] bool across(int peer) const {
    return peer >= 0 && static_cast<std::size_t>(peer) < world_ranks_.size() &&
           across_[static_cast<std::size_t>(peer)] != 0;
  }
  // Only where across(): that too is true of ranks of this host where same-host is compress.
  [[nodiscard]] bool other_host(int peer) const {
    return other_host_[static_cast<std::size_t>(peer)] != 0;
  }
  // Whether a receive from `source` could meet a message from across.
  [[nodiscard]] bool may_cross(int source) const {
    return source == MPI_ANY_SOURCE || across(source);
  }
  [[nodiscard]] int world_rank(int peer) const {
    return world_ranks_[static_cast<std::size_t>(peer)];
  }

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  // Of the settings in force; the last one of a communicator that the program has freed.
  [[nodiscard]] const policy::SettingsResolver& resolver() const;
  // The communicator for errors: MPI_COMM_WORLD's handler where the program has freed its own.
  [[nodiscard]] MPI_Comm comm_for_errors() const { return freed_ ? MPI_COMM_WORLD : comm_; }
  void mark_freed() { freed_ = true; }

 private:
  MPI_Comm comm_;
  std::atomic<bool> freed_{false};
  mutable std::atomic<const policy::SettingsResolver*> resolver_;
  std::vector<int> world_ranks_;
  std::vector<char> across_;
  std::vector<char> other_host_;
};

// nullptr where it is not usable. Valid until the communicator is freed. Throws MpiError.
[[nodiscard]] Route* route_of(MPI_Comm comm);

}  // namespace tightwire::mpi
