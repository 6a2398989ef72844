// MPI 4's calls with wide counts where MPI is older and has none: its calls with counts of type int
// serve instead. mpi4py asks for MPI_Send_c by name and finds this library's, under MPICH 3, too.
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi/counts.h"

namespace tightwire::interpose {

// How many counts a call has for: all ranks of the other side, those of its own group, and this
// rank's neighbours. 0 where MPI complains, as it will of the call.
[[nodiscard]] int all_parts(MPI_Comm comm) noexcept;
[[nodiscard]] int members(MPI_Comm comm) noexcept;
[[nodiscard]] int sources(MPI_Comm comm) noexcept;
[[nodiscard]] int destinations(MPI_Comm comm) noexcept;
// At others than the root MPI does not look at the counts.
[[nodiscard]] bool is_root(int root, MPI_Comm comm) noexcept;

// The counts of one call.
class NarrowCounts {
 public:
  // `function`: for what is said of counts that are too large.
  NarrowCounts(const char* function, MPI_Comm comm) : function_(function), comm_(comm) {}

  [[nodiscard]] int one(MPI_Count count);
  // Valid as long as this is; nullptr for none. Throw std::bad_alloc.
  [[nodiscard]] const int* all(mpi::Counts counts, int number);
  // The same, for good: MPI may read them until the call is complete, which is told to nobody.
  // A program's counts repeat.
  [[nodiscard]] const int* all_kept(mpi::Counts counts, int number);

  // Whether all so far fit an int.
  [[nodiscard]] bool fit() const { return too_large_ == 0; }
  // Where they do not: raises MPI_ERR_COUNT with a line, and returns it.
  [[nodiscard]] int refuse() const;

 private:
  [[nodiscard]] std::vector<int> narrowed(mpi::Counts counts, int number);

  const char* function_;
  MPI_Comm comm_;
  mpi::Count too_large_ = 0;
  std::vector<std::vector<int>> arrays_;
};

}  // namespace tightwire::interpose
