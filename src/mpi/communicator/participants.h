// Who takes part in a collective of ours on a communicator of the program, and how they agree.
//
// On an intercommunicator what the ranks of one group send goes to those of the other. No function
// of MPI tells all ranks of both groups the same, so that takes two of them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

namespace tightwire::mpi {

struct Participants {
  enum class Who : std::uint8_t {
    group,            // all ranks, which are of one group
    both_groups,      // of an intercommunicator
    root_and_others,  // of an intercommunicator: who sends in a Bcast, and the other group
  };
  MPI_Comm comm = MPI_COMM_NULL;
  Who who = Who::group;
  int root = 0;  // of these, as the program names it: MPI_ROOT, or a rank of the other group

  [[nodiscard]] bool are_between() const { return who != Who::group; }

  // Makes numbers the same on all of them: the largest of all, or the least, by MPI_MAX or MPI_MIN.
  // Collective over them, on `comm`. Throw MpiError.
  void agree(std::span<int> numbers, MPI_Op op) const;
  void agree(std::span<double> numbers, MPI_Op op) const;
};

// How those between two groups are numbered, alike on all of them: the root, if there is one, comes
// before the other group; of both groups the one with the least first rank in MPI_COMM_WORLD.
struct Roster {
  int rank = 0;                    // this one's number
  std::vector<int> world_ranks;    // of each number; MPI_UNDEFINED for a process that is not there
  std::vector<int> program_ranks;  // in its group
  int others_first = 0;            // the first one of the other group
  int others = 0;                  // ranks of it
};
// Local. Throws MpiError.
[[nodiscard]] Roster roster_of(const Participants& participants);

}  // namespace tightwire::mpi
