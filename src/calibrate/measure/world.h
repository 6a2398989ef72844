// This process among those of the job. Between MPI_Init and MPI_Finalize.
#pragma once

#include <mpi.h>

namespace tightwire::calibrate {

[[nodiscard]] inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

[[nodiscard]] inline int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

// Among the ranks that share this one's host.
[[nodiscard]] inline bool first_of_host() {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int rank = 0;
  MPI_Comm_rank(host, &rank);
  MPI_Comm_free(&host);
  return rank == 0;
}

}  // namespace tightwire::calibrate
