#include "mpi/communicator/tags/tag_election.h"

namespace tightwire::mpi {

static_assert(sizeof(TagOffer) == 2 * sizeof(int), "MPI_2INT: the number that counts, and a place");

TagElection::TagElection(MPI_Comm comm) : own_(offer_tags()) {
  reduction_.begin([&](MPI_Request* request) {
    return PMPI_Iallreduce(&own_, &winner_, 1, MPI_2INT, MPI_MAXLOC, comm, request);
  });
}

TagElection::~TagElection() {
  reduction_.wait();
  if (own_.left > 0 && own_.block.first != winner_.block.first) keep_tags(own_);
}

}  // namespace tightwire::mpi
