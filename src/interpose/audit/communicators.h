// What an audit needs to know of a communicator, asked of MPI once.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "audit/profile.h"
#include "recording/format.h"

namespace tightwire::auditor {

struct CommunicatorFacts {
  std::string name;  // as it is at the first look
  int size = 0;
  bool spans_hosts = false;
  std::vector<int> world_ranks;  // -1: not in MPI_COMM_WORLD; empty: between groups
  std::vector<char> other_host;

  [[nodiscard]] audit::Peer where(int peer) const;
  [[nodiscard]] int world_rank(int peer) const;
};

// Lives as long as the communicator. Thread safe. Throws MpiError.
[[nodiscard]] const CommunicatorFacts& facts_of(MPI_Comm comm);

}  // namespace tightwire::auditor
