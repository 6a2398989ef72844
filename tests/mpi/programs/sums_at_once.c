/* Reductions that return at once, and persistent ones, bring the same bits as blocking ones where
 * all of them are compressed, whatever the range of each rank's values is.
 *   sums_at_once wider|constant|all-constant|infinite|upward
 * With "upward" every second rank rounds up.
 * Prints "differing N" from rank 0. */
#include <fenv.h>
#include <math.h>
#include <mpi.h>
#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#endif
#include <stdio.h>
#include <string.h>

enum { VALUES = 1 << 15, KINDS = 6 };

static const char* values;
static int rank, size;
static double sent[VALUES], blocking[VALUES], at_once[VALUES];

/* Each rank's are wider than those of the one before. */
static double value(int i) {
  const double wider = (rank + 1) * sin(1e-3 * i);
  if (strcmp(values, "constant") == 0 && rank == 0) return -7.5;
  if (strcmp(values, "all-constant") == 0) return 0.1 * rank;
  if (strcmp(values, "infinite") == 0 && i == rank * 100) return rank == 1 ? 1e308 : -1e308;
  return wider;
}

static void wait_for(MPI_Request* request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void reduce(int kind) {
  const int part = VALUES / size;
  MPI_Request request;
  switch (kind) {
    case 0:
      MPI_Allreduce(sent, blocking, VALUES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      MPI_Iallreduce(sent, at_once, VALUES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
      return wait_for(&request);
    case 1:
      MPI_Reduce(sent, blocking, VALUES, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD);
      MPI_Ireduce(sent, at_once, VALUES, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD, &request);
      return wait_for(&request);
    case 2:
      MPI_Reduce_scatter_block(sent, blocking, part, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      MPI_Ireduce_scatter_block(sent, at_once, part, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
      return wait_for(&request);
    case 3:
      MPI_Scan(sent, blocking, VALUES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      MPI_Iscan(sent, at_once, VALUES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &request);
      return wait_for(&request);
    case 4: /* in place */
      memcpy(blocking, sent, sizeof sent);
      memcpy(at_once, sent, sizeof sent);
      MPI_Allreduce(MPI_IN_PLACE, blocking, VALUES, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
      MPI_Iallreduce(MPI_IN_PLACE, at_once, VALUES, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD, &request);
      return wait_for(&request);
    default:
      MPI_Allreduce(sent, blocking, VALUES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

/* Other values at the second start, of which the range is another. */
static int differs_started_again(void) {
  int differing = 0;
  MPI_Request request;
  MPI_Allreduce_init(sent, at_once, VALUES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &request);
  for (int start = 0; start < 2; ++start) {
    for (int i = 0; i < VALUES; ++i) sent[i] = value(i) * (start + 1);
    reduce(5);
    MPI_Start(&request);
    wait_for(&request);
    differing += memcmp(blocking, at_once, sizeof blocking) != 0;
  }
  MPI_Request_free(&request);
  return differing;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  values = argc > 1 ? argv[1] : "wider";
  if (strcmp(values, "upward") == 0 && rank % 2 != 0) fesetround(FE_UPWARD);
  for (int i = 0; i < VALUES; ++i) sent[i] = value(i);
  int differing = 0;
  for (int kind = 0; kind < KINDS - 1; ++kind) {
    reduce(kind);
    differing += memcmp(blocking, at_once, sizeof blocking) != 0;
  }
  differing += differs_started_again();
  int all;
  MPI_Reduce(&differing, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("differing %d\n", all);
  MPI_Finalize();
  return 0;
}
