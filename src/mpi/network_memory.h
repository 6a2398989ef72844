// How fast the network is, as the ranks of one communicator have learned it, for those of others.
#pragma once

#include "mpi/communicator/participants.h"
#include "policy/cost/network.h"

namespace tightwire::mpi {

// The slowest that one of them remembers, alike on all; not known where one remembers none.
// Collective; throws MpiError.
[[nodiscard]] policy::Network remembered_network(const Participants& participants);

// What this process remembers, whatever others do.
[[nodiscard]] policy::Network own_remembered_network();

// For the rest of the process's life, since hosts keep their network. Thread safe.
void remember_network(const policy::Network& network);

}  // namespace tightwire::mpi
