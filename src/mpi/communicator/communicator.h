// What collectives need of a communicator of the program: ways for tightwire's own messages, which
// can never match the program's, and memory.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "mpi/buffer_pool.h"
#include "mpi/communicator/host_map.h"
#include "mpi/communicator/learned.h"
#include "policy/call.h"
#include "policy/cost/network.h"
#include "wire/frame.h"

namespace tightwire::mpi {

struct NodeLanes;

// For the messages of all collectives.
[[nodiscard]] BufferPool& scratch_of_all();

struct Communicator {
  Communicator();
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  MPI_Comm comm = MPI_COMM_NULL;  // for messages; MPI_COMM_NULL where nothing is ever compressed
  std::vector<int> addresses;     // rank: its rank in `comm`
  int first_tag = 0;
  bool gave_up = false;           // something may be under way for ever
  MPI_Comm user = MPI_COMM_NULL;  // the program's
  int rank = 0;
  int size = 1;
  const HostMap* hosts = nullptr;  // of the program's communicator; not of lanes
  Learned* learned = nullptr;      // not of lanes
  // Not known where everything is worth compressing.
  policy::Network network;
  BufferPool& scratch = scratch_of_all();
  std::unique_ptr<NodeLanes> node_lanes;  // null where they gain nothing
  unsigned calls = 0;                     // compressed ones so far, alike on all ranks
  std::vector<int> program_ranks;  // what users know its ranks as; empty: by the same numbers

  // Whom a message goes to over `comm`, with which tag: `own` tells the messages of a call apart.
  [[nodiscard]] int address(int peer) const { return addresses[static_cast<std::size_t>(peer)]; }
  [[nodiscard]] int tag(int own) const { return first_tag + own; }
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
  // Not of lanes, where all are.
  [[nodiscard]] bool across(int peer) const { return hosts->across(peer); }
};

// Made at the first call for `user`, where it is collective: all ranks must come here in the same
// call. Lives until the program frees its communicator. Throws MpiError.
[[nodiscard]] Communicator& communicator_of(MPI_Comm user);

// For communicator_of(), which holds on to it. The two others are of `user` and live longer.
[[nodiscard]] std::unique_ptr<Communicator> make_communicator(MPI_Comm user, const HostMap& hosts,
                                                              Learned& learned);
// Gives its tags back. Local.
void release(const Communicator& communicator);

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

}  // namespace tightwire::mpi
