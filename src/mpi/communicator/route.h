// The ways to the other ranks of a communicator, for messages between two of them.
#pragma once

#include <mpi.h>

#include <atomic>
#include <memory>

#include "mpi/communicator/host_map.h"
#include "policy/settings_resolver.h"

namespace tightwire::mpi {

// The host map of a communicator of the program, as a request holds on to it: beyond the
// communicator's life. Thread safe.
class Route : public HostMap, public std::enable_shared_from_this<Route> {
 public:
  explicit Route(MPI_Comm comm);

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
};

// Made at the first message. nullptr where it is not usable(). Valid until the communicator is
// freed. Throws MpiError.
[[nodiscard]] Route* route_of(MPI_Comm comm);

}  // namespace tightwire::mpi
