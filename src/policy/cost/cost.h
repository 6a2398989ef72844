// How long a collective call takes, by an analytical model: latency, bandwidth, the codec's speeds
// and what it makes of the data (after Thakur, Rabenseifner and Gropp, "Optimization of collective
// communication operations in MPICH", IJHPCA 2005, with a codec's time beside every transfer).
//
// Every rank has a link of its own, and one core, but for the helpers that code pieces of a call
// with it. All ranks that put the same facts in get the same
// times out. Pure functions.
#pragma once

#include <algorithm>
#include <span>

#include "policy/call.h"
#include "policy/cost/network.h"
#include "policy/cost/speeds.h"
#include "settings/values.h"

namespace tightwire::policy {

using settings::Algorithm;

struct Facts {
  Operation operation = Operation::allreduce;
  std::size_t bytes = 0;  // as Call::bytes
  int ranks = 2;
  Network network;
  // How many times as fast a rank encodes, decodes and merges several pieces with its helpers as
  // its calling thread does alone.
  double coding_speedup = 1;
  int tree = 0;  // of a Bcast, those that its tree brings the message to by the network; 0: all
  // What is only moved is cut as it always is, whatever would take the least: carried out later,
  // when ranks need not know the same, or encoded early, of which a write spoils a whole chunk.
  bool in_usual_chunks = false;

  [[nodiscard]] int ranks_of_tree() const { return tree > 0 ? tree : ranks; }
};

// Messages that one rank has for as many others at once, and may encode so: a Scatter's root.
[[nodiscard]] constexpr int messages_at_once(Operation operation, int ranks) {
  return operation == Operation::scatter ? std::max(ranks - 1, 1) : 1;
}
[[nodiscard]] constexpr std::size_t bytes_at_once(Operation operation, std::size_t bytes,
                                                  int ranks) {
  return bytes * static_cast<std::size_t>(messages_at_once(operation, ranks));
}

// By MPI's own algorithms, the fastest of those that libraries choose among.
[[nodiscard]] double raw_seconds(const Facts& facts);

// What tightwire can carry the operation out by, never empty. Operations that only move data have
// one way, which goes by the name of `automatic` here.
[[nodiscard]] std::span<const Algorithm> algorithms_of(Operation operation);

// Into how many segments a reduction's message is divided, and how large what travels in one piece
// is then.
[[nodiscard]] std::size_t segments(Algorithm algorithm, int ranks);
[[nodiscard]] std::size_t piece_bytes(const Facts& facts, Algorithm algorithm);

// With every piece cut into `chunks`.
[[nodiscard]] double compressed_seconds(const Facts& facts, const Speeds& speeds,
                                        Algorithm algorithm, std::size_t chunks);

}  // namespace tightwire::policy
