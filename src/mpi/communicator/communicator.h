// What collectives need of a communicator of the program: ways for tightwire's own messages, which
// can never match the program's, and memory.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>
#include <vector>

#include "mpi/buffer_pool.h"
#include "mpi/communicator/host_map.h"
#include "mpi/communicator/learned.h"
#include "policy/call.h"
#include "policy/cost/network.h"
#include "wire/frame.h"

namespace tightwire::mpi {

struct NodeLanes;
class Route;
class TagElection;

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
  const HostMap* hosts = nullptr;      // of the program's communicator; not of lanes
  std::shared_ptr<const Route> route;  // which holds it; not of lanes
  Learned* learned = nullptr;          // not of lanes
  // Whether times may decide that a call is not worth compressing.
  bool weighs_times = false;
  // Stated, remembered or learned since; alike on all ranks. Not known before plain calls have
  // told.
  policy::Network network;
  BufferPool& scratch = scratch_of_all();
  std::unique_ptr<NodeLanes> node_lanes;  // null where they gain nothing
  const unsigned serial;                  // of this process; no two have the same
  unsigned calls = 0;                     // compressed ones so far, alike on all ranks
  std::vector<int> program_ranks;  // what users know its ranks as; empty: by the same numbers
  std::unique_ptr<TagElection> election;  // of its tags, where it was made without waiting
  std::mutex settling;                    // what has won it

  // Whom a message goes to over `comm`, with which tag: `own` tells the messages of a call apart.
  [[nodiscard]] int address(int peer) const { return addresses[static_cast<std::size_t>(peer)]; }
  [[nodiscard]] int tag(int own) const { return first_tag + own; }
  [[nodiscard]] bool usable() const { return comm != MPI_COMM_NULL; }
  // Whether its tags are known: one that was made without waiting gets them later, or never, and
  // then await_tags() throws. Throw MpiError.
  [[nodiscard]] bool has_tags() const;
  void await_tags();
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
// The same without waiting, for calls that return at once: it lives as long as what they have
// started. Throws MpiError.
[[nodiscard]] std::shared_ptr<Communicator> communicator_at_once(MPI_Comm user);
// nullptr where none has been made yet. Throws MpiError.
[[nodiscard]] Communicator* known_communicator(MPI_Comm user);

// For those, which hold on to it: its tags are given back when nobody does. `learned` is of `user`.
enum class Tags : bool { agreed, elected };
[[nodiscard]] std::shared_ptr<Communicator> make_communicator(MPI_Comm user,
                                                              std::shared_ptr<const Route> route,
                                                              Learned& learned, Tags tags);
// In a call that may wait for the others: sees to it that it has tags, or is not usable.
void settle_tags(Communicator& communicator);

// The arguments that say where a call takes place. Not valid: an intercommunicator, or for MPI to
// complain of.
struct Place {
  bool valid = false;
  bool is_root = false;
  int size = 0;
  int rank = 0;
};
[[nodiscard]] Place place_in(MPI_Comm comm, int root);

// Whether the clock may decide that a call is not worth compressing.
[[nodiscard]] bool is_adaptive(const Communicator& communicator, settings::Mode mode);

}  // namespace tightwire::mpi
