/* Collectives that nobody waits for, by the word: `rot`, on a communicator that goes on to be used;
 * `freed`, on communicators that are freed at once, some of them with a wait that comes later;
 * `persistent`, started, or never started, and never freed. All are errors of the program but the
 * waits. Prints "failures 0" from rank 0, of what was waited for and of blocking calls in between;
 * then "ended". */
#include <mpi.h>
#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#endif
#include <stdio.h>
#include <string.h>

enum { VALUES = 20000, CALLS = 30 };

static double sent[VALUES], left[CALLS][VALUES], received[VALUES];
static int rank, ranks;

static int wrong(const double* values) {
  int count = 0;
  for (int i = 0; i < VALUES; ++i) count += values[i] != i + ranks - 1;
  return count;
}

static int blocking(void) {
  MPI_Allreduce(sent, received, VALUES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return wrong(received);
}

static void start(int call, MPI_Comm comm, MPI_Request* request) {
  MPI_Iallreduce(sent, left[call], VALUES, MPI_DOUBLE, MPI_MAX, comm, request);
}

static int leave_to_rot(void) {
  int failures = 0;
  for (int call = 0; call < CALLS; ++call) {
    MPI_Request request;
    start(call, MPI_COMM_WORLD, &request);
    if (call % 4 == 0) failures += blocking();
  }
  return failures;
}

static int free_communicators(void) {
  MPI_Request requests[CALLS];
  for (int call = 0; call < CALLS; ++call) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    start(call, comm, &requests[call]);
    MPI_Comm_free(&comm);
    if (comm != MPI_COMM_NULL) return 1;
  }
  int failures = blocking();
  for (int call = CALLS - 1; call >= CALLS / 2; --call) {
    MPI_Wait(&requests[call], MPI_STATUS_IGNORE);
    failures += wrong(left[call]);
  }
  return failures;
}

static int leave_persistent(void) {
  int failures = 0;
  for (int call = 0; call < CALLS; ++call) {
    MPI_Request request;
    MPI_Allreduce_init(sent, left[call], VALUES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    if (call % 3 == 0) continue;
    MPI_Start(&request);
    if (call % 3 == 1) continue;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    failures += wrong(left[call]) + blocking();
  }
  return failures;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < VALUES; ++i) sent[i] = i + rank;
  const char* how = argc > 1 ? argv[1] : "rot";
  const int failures = strcmp(how, "rot") == 0     ? leave_to_rot()
                       : strcmp(how, "freed") == 0 ? free_communicators()
                                                   : leave_persistent();
  int all = 0;
  MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("failures %d\n", all);
  fflush(stdout);
  MPI_Finalize();
  if (rank == 0) puts("ended");
  return 0;
}
