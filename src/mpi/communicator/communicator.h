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
#include "mpi/communicator/participants.h"
#include "policy/call.h"
#include "policy/cost/network.h"
#include "policy/tuning/messages/unframed_messages.h"
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
  bool gave_up = false;       // something may be under way for ever
  Participants participants;  // of the program's
  int rank = 0;
  int size = 1;
  int others_first = 0;                    // between two groups: the other one's first rank
  int others = 0;                          // and its ranks
  const HostMap* hosts = nullptr;          // of them all; not of lanes
  std::shared_ptr<const Route> route;      // of the program's communicator; not of lanes
  std::unique_ptr<const HostMap> between;  // two groups: their hosts, which no route holds
  Learned* learned = nullptr;              // not of lanes
  // Whether times may decide that a call is not worth compressing.
  bool weighs_times = false;
  // Stated, remembered or learned since; alike on all ranks. Not known before plain calls have
  // told.
  policy::Network network;
  BufferPool& scratch = scratch_of_all();
  std::unique_ptr<NodeLanes> node_lanes;  // null where they gain nothing
  const unsigned serial;                  // of this process; no two have the same
  unsigned calls = 0;  // compressed ones so far, or parts of them, alike on all ranks
  policy::UnframedMessages unframed;  // of those that return at once
  std::vector<int> program_ranks;     // what users know its ranks as; empty: by the same numbers
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
  // How many ranks an intracommunicator has in which everybody has as many blocks to move: for the
  // cost model.
  [[nodiscard]] int comparable_size() const;
  // The same of a Bcast's message, which each host gets once where several ranks share it.
  [[nodiscard]] int size_of_tree() const;
};

// Made at the first call for them, where it is collective: all must come here in the same call.
// Lives until the program frees its communicator. Throws MpiError.
[[nodiscard]] Communicator& communicator_of(const Participants& participants);
// The same without waiting, for calls that return at once: it lives as long as what they have
// started. Between two groups only what has been made already. Throws MpiError.
[[nodiscard]] std::shared_ptr<Communicator> communicator_at_once(const Participants& participants);
// Of all ranks; nullptr where none has been made yet. Throws MpiError.
[[nodiscard]] Communicator* known_communicator(MPI_Comm user);
// The same, to hold on to, where one has been made. Throws MpiError.
[[nodiscard]] std::shared_ptr<Communicator> made_communicator(MPI_Comm user);

// For those, which hold on to it: its tags are given back when nobody does. `route` and `learned`
// are of the program's communicator.
enum class Tags : bool { agreed, elected };
[[nodiscard]] std::shared_ptr<Communicator> make_communicator(const Participants& participants,
                                                              std::shared_ptr<const Route> route,
                                                              Learned& learned, Tags tags);
// In a call that may wait for the others: sees to it that it has tags, or is not usable.
void settle_tags(Communicator& communicator);

// The arguments that say where a call takes place. Not valid: for MPI to complain of, or without
// this rank's part in it.
struct Place {
  bool valid = false;
  bool is_root = false;
  int size = 0;
  int rank = 0;
  int peers = 0;  // for each of which a rank has a block: all; between two groups the other one
  Participants participants;
};
// Not valid on an intercommunicator.
[[nodiscard]] Place place_in(MPI_Comm comm, int root);
// Of calls that go between the two groups as well: of all ranks to all, ...
[[nodiscard]] Place place_of_all(MPI_Comm comm);
// ... and from a root, whose rank among the participants of `place` root_of() says.
[[nodiscard]] Place place_of_bcast(MPI_Comm comm, int root);
[[nodiscard]] inline int root_of(const Place& place, int root) {
  return place.participants.are_between() ? 0 : root;
}

// Whether the clock may decide that a call is not worth compressing.
[[nodiscard]] bool is_adaptive(const Communicator& communicator, settings::Mode mode);

}  // namespace tightwire::mpi
