// What tightwire keeps for a communicator of the program: a private communicator for its own
// messages, so that they can never match the program's, and scratch memory.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "codec/estimate/memory.h"
#include "mpi/scratch.h"
#include "policy/call.h"
#include "policy/cost/network.h"
#include "policy/tuning/backoff.h"
#include "policy/tuning/online_tuner.h"
#include "wire/frame.h"

namespace tightwire::mpi {

// Operation; its type and kind, in some numbering; binary order of magnitude of the size; settings.
using KindOfCall = std::tuple<policy::Operation, unsigned, int, std::size_t>;
using Tuners = std::map<KindOfCall, policy::OnlineTuner>;
struct NodeLanes;

struct Communicator {
  Communicator();
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  MPI_Comm comm = MPI_COMM_NULL;  // private; MPI_COMM_NULL where nothing is ever compressed
  MPI_Comm user = MPI_COMM_NULL;  // the program's
  int rank = 0;
  int size = 1;
  std::vector<bool> across;  // for each rank: whether messages to it are worth compressing
  // Not known where everything is worth compressing.
  policy::Network network;
  Scratch scratch;
  codec::EstimateMemory estimates;
  Tuners tuners;
  std::map<policy::Operation, policy::Backoff> backoffs;  // of v-operations
  std::unique_ptr<NodeLanes> node_lanes;                  // null where they gain nothing
  unsigned calls = 0;              // compressed ones so far, alike on all ranks
  std::vector<int> program_ranks;  // what users know its ranks as; empty: by the same numbers

  [[nodiscard]] bool usable() const { return comm != MPI_COMM_NULL; }
  // How ranks of a host work together, or null where they don't.
  [[nodiscard]] NodeLanes* lanes() const;
  [[nodiscard]] int program_rank(int own) const {
    return program_ranks.empty() ? own : program_ranks[static_cast<std::size_t>(own)];
  }
  // Of a frame of the present call.
  [[nodiscard]] std::uint32_t sequence(std::size_t place) const {
    return wire::sequence_in_call(calls, place);
  }
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

// Whether the clock may decide that a call is not worth compressing.
[[nodiscard]] bool is_adaptive(const Communicator& communicator, settings::Mode mode);

// Gives back what the never-freed MPI_COMM_WORLD holds. Before MPI_Finalize.
void release_world();

}  // namespace tightwire::mpi
