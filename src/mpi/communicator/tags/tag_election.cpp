#include "mpi/communicator/tags/tag_election.h"

#include "mpi/error.h"

namespace tightwire::mpi {

static_assert(sizeof(TagOffer) == 2 * sizeof(int), "MPI_2INT: the number that counts, and a place");

TagElection::TagElection(MPI_Comm comm) : own_(offer_tags()) {
  check(PMPI_Iallreduce(&own_, &winner_, 1, MPI_2INT, MPI_MAXLOC, comm, &request_));
}

// Given up: MPI may still write to it.
TagElection::~TagElection() {
  if (request_ != MPI_REQUEST_NULL) PMPI_Wait(&request_, MPI_STATUS_IGNORE);
  if (own_.left > 0 && own_.block.first != winner_.block.first) keep_tags(own_);
}

// Nothing is touched any more once it is known to be over.
bool TagElection::test() {
  if (over_.load(std::memory_order_acquire)) return true;
  if (testing_.test_and_set(std::memory_order_acquire)) return false;
  int done = 0;
  const int code = PMPI_Test(&request_, &done, MPI_STATUS_IGNORE);
  testing_.clear(std::memory_order_release);
  check(code);
  if (done != 0) over_.store(true, std::memory_order_release);
  return done != 0;
}

}  // namespace tightwire::mpi
