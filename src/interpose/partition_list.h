// The list of partitions as the MPI at hand declares it: MPI 4.0 forgot the `const` that later
// versions have.
#pragma once

#include <mpi.h>

#if MPI_VERSION >= 4

namespace tightwire::interpose {

template <class List>
List list_taken_by(int (*)(int, List, MPI_Request));

using PartitionList = decltype(list_taken_by(&PMPI_Pready_list));

}  // namespace tightwire::interpose

#endif
