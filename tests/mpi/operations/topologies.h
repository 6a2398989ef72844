// Communicators with a topology, of many shapes.
#pragma once

#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

namespace operations {

// Whom this rank sends to and gets from, in the order of the blocks.
struct Neighbours {
  std::vector<int> sources;
  std::vector<int> destinations;
};

struct Topology {
  std::string name;
  MPI_Comm comm = MPI_COMM_NULL;  // MPI_COMM_NULL: this rank is left out
  Neighbours neighbours;
  // Whether several messages between the same ranks meet in the order of their blocks in all calls
  // of the v-form.
  bool paired_in_order = false;
};

// Grids with and without ends, of extents of 1 and 2 as well; graphs; directed graphs in which
// ranks have any number of neighbours, themselves and the same one several times among them, in any
// order. Collective over `comm`. Each is freed by the caller.
[[nodiscard]] std::vector<Topology> make_topologies(MPI_Comm comm);

}  // namespace operations
