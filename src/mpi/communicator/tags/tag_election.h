// Tags for a communicator that its ranks agree on without waiting for each other.
//
// Each process has tags of the private world that only it may give away (private/world.h). Every
// rank offers a block of its own, the one that has most of them left wins, and all others keep
// theirs: one reduction, and no two communicators can get the same.
#pragma once

#include <mpi.h>

#include "mpi/communicator/private/world.h"
#include "mpi/progress/collective_request.h"

namespace tightwire::mpi {

// Begun by all ranks of a communicator in the same collective call; over it, so that the order of
// the program's collectives is this one's, too.
class TagElection {
 public:
  // Throws MpiError.
  explicit TagElection(MPI_Comm comm);
  ~TagElection();
  TagElection(const TagElection&) = delete;
  TagElection& operator=(const TagElection&) = delete;

  // Whether it is over. Thread safe; MPI may come back here while it is asked. Throws MpiError.
  [[nodiscard]] bool test() { return reduction_.test(); }
  // After that: nothing where no rank had any left.
  [[nodiscard]] TagBlock won() const { return winner_.block; }

 private:
  TagOffer own_;
  TagOffer winner_;
  CollectiveRequest reduction_;
};

}  // namespace tightwire::mpi
