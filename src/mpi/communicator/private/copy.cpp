#include "mpi/communicator/private/copy.h"

#include "mpi/error.h"

namespace tightwire::mpi {

MPI_Comm private_copy(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  int rank = 0;
  check(PMPI_Comm_rank(comm, &rank));
  check(PMPI_Comm_split(comm, 0, rank, &copy));
  check(PMPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
  return copy;
}

MPI_Comm private_copy_if_possible(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  try {
    copy = private_copy(comm);
  } catch (const MpiError&) {
  }
  int everywhere = copy == MPI_COMM_NULL ? 0 : 1;
  check(PMPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, comm));
  if (everywhere == 0 && copy != MPI_COMM_NULL) PMPI_Comm_free(&copy);
  return copy;
}

Self& self() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const self = new Self;
  return *self;
}

}  // namespace tightwire::mpi
