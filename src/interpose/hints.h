// Hints of communicators: the keys tightwire_... of an MPI_Info, one for each setting that goes by
// calls.
#pragma once

#include <mpi.h>

namespace tightwire::special {

// Takes over the hints in `info` for `comm`, on top of those that it has. Collective over `comm`.
// MPI_SUCCESS, or an error of all its ranks alike, after one of them has said what is wrong:
// nothing has changed then. `call` is "MPI_Comm_set_info".
[[nodiscard]] int take_hints(MPI_Comm comm, MPI_Info info, const char* call);

// Puts those that hold for `comm` into `info`.
void put_hints(MPI_Comm comm, MPI_Info info);

}  // namespace tightwire::special
