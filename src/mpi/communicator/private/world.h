// The one communicator over which all collectives of ours send their messages, whatever
// communicator of the program they are called on.
//
// MPI libraries have few context ids (MPICH some 2000), and a communicator costs them memory and
// time. So the program's communicators get none of ours: each has a block of tags of the private
// world, which its ranks agree on at its first compressed call and give back when it is freed.
#pragma once

#include <mpi.h>

#include "mpi/communicator/participants.h"

namespace tightwire::mpi {

// In MPI_Init, where anything crosses the network; collective over MPI_COMM_WORLD. Where a rank
// could not be given its part all go without: nothing is compressed then.
void open_private_world();
void close_private_world();

// Ranks are those of MPI_COMM_WORLD, errors are returned. MPI_COMM_NULL where there is none.
[[nodiscard]] MPI_Comm private_world();

// That MPI allows, on any communicator.
[[nodiscard]] int largest_tag();

// Tags from `first` to `first + tags_in_block - 1`, which no other communicator of a rank of this
// one has. The first block is the job's.
struct TagBlock {
  int first = 0;
  [[nodiscard]] explicit operator bool() const { return first != 0; }
};
constexpr int tags_in_block = 48;

// Collective over them: the same on all, nothing where they have none left in common.
// Several threads may be here at once, each with a communicator of its own. Throws MpiError.
[[nodiscard]] TagBlock agree_on_tags(const Participants& participants);
// Local. Nothing with these tags may be under way to or from this rank. Offered ones (below) are
// not used again: other ranks may still be using them.
void give_back(TagBlock block);

// Tags that this process alone may give away. None of another's, so that ranks which get some need
// not agree on more than whose (tag_election.h). Thread safe.
struct TagOffer {
  int left = 0;  // blocks that this process still has, this one among them; 0: none
  TagBlock block;
};
// Whether each process has enough of them; the same on all ranks.
[[nodiscard]] bool may_offer_tags();
[[nodiscard]] TagOffer offer_tags();
// It was not taken.
void keep_tags(const TagOffer& offer);

}  // namespace tightwire::mpi
