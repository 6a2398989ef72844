// What an MPI_Status says of a message.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace tightwire::mpi {

[[nodiscard]] inline std::size_t bytes_of(const MPI_Status& status) {
  MPI_Count bytes = 0;
  PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

// So that MPI_Get_count and MPI_Get_elements of the status tell of `bytes`.
inline void set_bytes(MPI_Status& status, std::size_t bytes) {
  PMPI_Status_set_elements_x(&status, MPI_BYTE, static_cast<MPI_Count>(bytes));
}

[[nodiscard]] inline bool is_cancelled(const MPI_Status& status) {
  int cancelled = 0;
  PMPI_Test_cancelled(&status, &cancelled);
  return cancelled != 0;
}

// MPI_ERROR is only for calls that return MPI_ERR_IN_STATUS.
inline void give(const MPI_Status& from, MPI_Status* to) {
  if (to == MPI_STATUS_IGNORE) return;
  const int error = to->MPI_ERROR;
  *to = from;
  to->MPI_ERROR = error;
}

}  // namespace tightwire::mpi
