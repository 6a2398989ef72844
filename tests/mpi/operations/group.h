// The ranks of a check, and uneven amounts for them.
#pragma once

#include <mpi.h>

#include <vector>

namespace operations {

struct Group {
  MPI_Comm comm;
  int rank = 0;
  int ranks = 0;
  explicit Group(MPI_Comm of) : comm(of) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
  }
};

// Counts of which some are 0, with gaps between the blocks.
struct Layout {
  std::vector<int> counts;
  std::vector<int> places;
  int total = 0;
};

inline Layout uneven(int ranks, int count) {
  Layout layout;
  for (int i = 0; i < ranks; ++i) {
    layout.counts.push_back(i % 3 == 2 ? 0 : count / (1 + i % 4) + i);
    layout.places.push_back(layout.total);
    layout.total += layout.counts.back() + 3;
  }
  return layout;
}

}  // namespace operations
