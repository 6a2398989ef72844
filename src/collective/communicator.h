// What tightwire keeps for a communicator of the program: a private communicator for its own
// messages, so that they can never match the program's, and scratch memory.
#pragma once

#include <mpi.h>

#include <vector>

#include "codec/estimate_memory.h"
#include "collective/scratch.h"
#include "policy/call.h"
#include "policy/network.h"

namespace tightwire::collective {

struct Communicator {
  MPI_Comm comm = MPI_COMM_NULL;  // private; MPI_COMM_NULL where nothing is ever compressed
  int rank = 0;
  int size = 1;
  std::vector<bool> across;  // for each rank: whether messages to it are worth compressing
  // Not known where everything is worth compressing.
  policy::Network network;
  Scratch scratch;
  codec::EstimateMemory estimates;

  [[nodiscard]] bool usable() const { return comm != MPI_COMM_NULL; }
  // Whether a plan that the message's size allows is worth its time on this network.
  [[nodiscard]] bool pays(const policy::Plan& plan) const;
  [[nodiscard]] bool across_network(int peer) const {
    return across[static_cast<std::size_t>(peer)];
  }
};

// Made at the first call for `user`, where it is collective: all ranks must come here in the same
// call. Lives until the program frees its communicator. Throws MpiError.
[[nodiscard]] Communicator& communicator_of(MPI_Comm user);

// The arguments that say where a call takes place. Not valid: an intercommunicator, or for MPI to
// complain of.
struct Place {
  bool valid = false;
  bool is_root = false;
  int size = 0;
};
[[nodiscard]] Place place_in(MPI_Comm comm, int root);

// The communicator of a call that all ranks plan alike, or nullptr where it goes to MPI as it came.
[[nodiscard]] Communicator* communicator_for(const policy::Plan& plan, MPI_Comm user);

// The same where ranks know only their own counts (the v-operations), so that only the settings can
// decide for all.
[[nodiscard]] Communicator* communicator_for_uneven(MPI_Comm user);

// Gives back what the never-freed MPI_COMM_WORLD holds. Before MPI_Finalize.
void release_world();

}  // namespace tightwire::collective
