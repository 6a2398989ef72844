// What the load consists of: each operation is performed, and every value it delivers is checked.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace load {

struct Work {
  std::uint64_t messages = 0;  // a collective counts as one
  std::uint64_t wrong = 0;     // values
};

// Performs operation number `operation` on `comm`, in which all ranks call this. Which one it is,
// its size and its contents follow from the number alone.
void perform(std::uint64_t operation, MPI_Comm comm, Work& work);

}  // namespace load
