// The neighbours of this rank on a communicator with a topology, and which of their messages meet.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "mpi/progress/collective_request.h"

namespace tightwire::mpi {

// Where two ranks are neighbours more than once, MPI libraries pair their messages in one order or
// another, and not in all calls alike. Persistent calls are taken for those that return at once.
enum class NeighbourCall : std::uint8_t { alltoall, alltoallv, alltoallw };
inline constexpr std::size_t neighbour_calls = 3;

// Of each block that is sent or received: how many messages between the same two ranks, in the same
// direction, come before its own.
struct Pairing {
  std::vector<int> sent;
  std::vector<int> received;
};

// The pairing of a call, which may have to be asked for: senders number their messages, and MPI
// brings the numbers where the messages would arrive.
class PairingQuery {
 public:
  // Nothing is asked.
  explicit PairingQuery(Pairing known) : pairing_(std::move(known)) {}
  // Begun by all ranks in the same collective call; `waits`: is asked by the call that waits.
  // Throws MpiError.
  PairingQuery(NeighbourCall call, bool waits, Pairing in_order, MPI_Comm comm);

  // Whether it is known. Thread safe; MPI may come back here while it is asked. Throws MpiError.
  [[nodiscard]] bool test() { return query_.test(); }
  // After that.
  [[nodiscard]] const Pairing& pairing() const { return pairing_; }

 private:
  // What MPI reads and writes until it is over.
  struct Numbers {
    std::vector<int> sent;
    std::vector<int> ones;
    std::vector<int> places;
    std::vector<MPI_Aint> bytes;
    std::vector<MPI_Datatype> types;
  };
  int begin(NeighbourCall call, MPI_Comm comm, MPI_Request* request);
  void ask(NeighbourCall call, MPI_Comm comm);

  Pairing pairing_;
  Numbers numbers_;
  CollectiveRequest query_;
};

// Not thread safe: for collective calls, of which there is one at a time on a communicator.
class Neighbours {
 public:
  // Nothing for a communicator without a topology. Local. Throws MpiError.
  [[nodiscard]] static std::shared_ptr<Neighbours> of(MPI_Comm comm);

  // In the order of the blocks that are received and sent; some may be MPI_PROC_NULL.
  [[nodiscard]] const std::vector<int>& sources() const { return sources_; }
  [[nodiscard]] const std::vector<int>& destinations() const { return destinations_; }

  // In the order of the blocks, for calls that send the same to all.
  [[nodiscard]] std::shared_ptr<PairingQuery> in_order() const;
  // As MPI's own function does it. Collective over `comm` the first time, and over at once where
  // the call `waits`; throws MpiError.
  [[nodiscard]] std::shared_ptr<PairingQuery> of_call(NeighbourCall call, bool waits,
                                                      MPI_Comm comm);
  // Waits for what has been asked. Throws MpiError.
  void finish_queries();

 private:
  void of_cartesian(MPI_Comm comm);
  void of_graph(MPI_Comm comm);
  void of_distributed_graph(MPI_Comm comm);
  std::vector<int> sources_;
  std::vector<int> destinations_;
  bool is_directed_ = false;
  // Of those that wait, and of the others.
  std::array<std::array<std::shared_ptr<PairingQuery>, neighbour_calls>, 2> queries_;
};

}  // namespace tightwire::mpi
