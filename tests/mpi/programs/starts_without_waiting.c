/* A collective that returns at once waits for nobody: two ranks, one of which starts it only when
 * the other one has sent it a message after that. On a communicator of its own each, on which
 * nothing is agreed on yet. Hangs where a start waits. Prints "failures 0" from rank 0.
 *   starts_without_waiting [BOUND] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { VALUES = 1 << 16, CALLS = 4 };

static double sent[2 * VALUES];
static double received[2 * VALUES];

static void start(int which, MPI_Comm comm, MPI_Request* request) {
  switch (which) {
    case 0:
      MPI_Ibcast(received, VALUES, MPI_DOUBLE, 0, comm, request);
      break;
    case 1:
      MPI_Ibcast(received, VALUES, MPI_DOUBLE, 1, comm, request);
      break;
    case 2:
      MPI_Iallreduce(sent, received, VALUES, MPI_DOUBLE, MPI_MAX, comm, request);
      break;
    default:
      MPI_Ialltoall(sent, VALUES, MPI_DOUBLE, received, VALUES, MPI_DOUBLE, comm, request);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double bound = argc > 1 ? atof(argv[1]) : 0;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int failures = 0;
  for (int which = 0; which < CALLS; ++which) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 2 * VALUES; ++i) {
      sent[i] = i % VALUES;
      received[i] = which == rank ? sent[i] : -1; /* the root's */
    }
    MPI_Request request;
    int word = which;
    if (rank == 0) {
      start(which, comm, &request);
      MPI_Ssend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
      MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      start(which, comm, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const int count = which == 3 ? 2 * VALUES : VALUES;
    for (int i = 0; i < count; ++i) failures += !(fabs(received[i] - sent[i]) <= bound);
    MPI_Comm_free(&comm);
  }
  int all;
  MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("failures %d\n", all);
  MPI_Finalize();
  return failures != 0;
}
