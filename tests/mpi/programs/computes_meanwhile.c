/* computes_meanwhile FILE SECONDS: two ranks start an MPI_Iallreduce, rank 1 once rank 0 has. Rank
 * 0 then makes no call of MPI until rank 1 has its result; they tell each other by files. Along a
 * ring that result takes what rank 0 makes of rank 1's values, and nobody but a thread of the
 * library can do that meanwhile. Prints "moved on N of M" from rank 0: how often that was seen
 * within the seconds. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum { VALUES = 1 << 20, CALLS = 4 };

static double sent[VALUES];
static double received[VALUES];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void path_of(char* path, const char* file, const char* what, int which) {
  snprintf(path, 4096, "%s.%s.%d", file, what, which);
}

static int is_there(const char* file, const char* what, int which) {
  char path[4096];
  struct stat status;
  path_of(path, file, what, which);
  return stat(path, &status) == 0;
}

static void tell(const char* file, const char* what, int which) {
  char path[4096];
  path_of(path, file, what, which);
  FILE* const made = fopen(path, "w");
  if (made == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  fclose(made);
}

static int comes(const char* file, const char* what, int which, double seconds) {
  const double begin = now();
  while (!is_there(file, what, which)) {
    if (now() - begin > seconds) return 0;
    sched_yield();
  }
  return 1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
  int moved_on = 0;
  int failures = 0;
  for (int which = 0; which < CALLS; ++which) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < VALUES; ++i) sent[i] = i / 16 + (i % 2 == rank ? which : 0);
    MPI_Request request;
    if (rank == 1 && !comes(argv[1], "started", which, 60)) MPI_Abort(MPI_COMM_WORLD, 4);
    MPI_Iallreduce(sent, received, VALUES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &request);
    if (rank == 0) {
      tell(argv[1], "started", which);
      moved_on += comes(argv[1], "done", which, atof(argv[2]));
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1) tell(argv[1], "done", which);
    for (int i = 0; i < VALUES; ++i) failures += received[i] != i / 16 + which;
  }
  int all;
  MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("moved on %d of %d, failures %d\n", moved_on, CALLS, all);
  MPI_Finalize();
  return failures != 0;
}
