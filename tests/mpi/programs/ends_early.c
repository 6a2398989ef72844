/* MPI_Finalize with a collective that was started and never completed: by "all" ranks, which their
 * requests should not have been left for, or by rank 0 alone, which no other rank will ever answer.
 * Both are errors of the program; MPI libraries end it. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { VALUES = 100000 };

static double sent[VALUES], received[VALUES];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request left;
  if (rank == 0 || (argc > 1 && strcmp(argv[1], "all") == 0)) {
    MPI_Iallreduce(sent, received, VALUES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &left);
  }
  MPI_Finalize();
  if (rank == 0) puts("ended");
  return 0;
}
