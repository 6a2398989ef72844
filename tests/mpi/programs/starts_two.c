/* Two exchanges of two neighbours are started one behind the other, of blocks that go without
 * frames. Rank 1 makes no call of MPI from then on until rank 0 has seen how far it comes alone:
 * FILE.1 says that rank 1 has started, FILE.0 that it may go on. Prints from rank 0 how many blocks
 * it had begun to send while the first exchange was not complete. starts_two FILE */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { VALUES = 1 << 19, BEFORE = 3 };

static int32_t sent[2][2 * VALUES], received[2][2 * VALUES];
/* Of preload/count_synchronous.c. */
typedef int count_function(void);

static int32_t value(int which, int from, int i) {
  uint32_t bits = (uint32_t)(i + 1) * 2654435761U + (uint32_t)(2 * which + from) * 40503U;
  bits ^= bits >> 15;
  bits *= 2246822519U;
  return (int32_t)(bits ^ bits >> 13);
}

/* Each has one neighbour, on one side: rank 0 its second block, rank 1 its first. */
static MPI_Comm line;

static void start(int which, MPI_Request* request) {
  MPI_Ineighbor_alltoall(sent[which], VALUES, MPI_INT, received[which], VALUES, MPI_INT, line,
                         request);
}

static int failures(int rank) {
  const int here = rank == 0 ? VALUES : 0, there = VALUES - here;
  int count = 0;
  for (int which = 0; which < 2; ++which) {
    for (int i = 0; i < VALUES; ++i) {
      count += received[which][here + i] != value(which, 1 - rank, there + i);
    }
  }
  return count;
}

static const char* base;

static const char* file_of(int rank) {
  static char name[4096];
  snprintf(name, sizeof name, "%s.%d", base, rank);
  return name;
}
static void say(int rank) {
  FILE* file = fopen(file_of(rank), "w");
  if (file == NULL || fclose(file) != 0) MPI_Abort(MPI_COMM_WORLD, 64);
}
static void await(int rank) {
  const struct timespec pause = {0, 1000000};
  for (int i = 0; access(file_of(rank), F_OK) != 0; ++i) {
    if (i > 30000) MPI_Abort(MPI_COMM_WORLD, 65);
    nanosleep(&pause, NULL);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  base = argc > 1 ? argv[1] : "starts_two";
  count_function* synchronous_sends = NULL;
  *(void**)&synchronous_sends = dlsym(RTLD_DEFAULT, "synchronous_sends");
  if (synchronous_sends == NULL) MPI_Abort(MPI_COMM_WORLD, 64);
  for (int which = 0; which < 2; ++which) {
    for (int i = 0; i < 2 * VALUES; ++i) sent[which][i] = value(which, rank, i);
  }
  const int ranks = 2, around = 0;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &around, 0, &line);
  MPI_Request requests[2];
  /* After these the next two go as they are. */
  for (int call = 0; call < BEFORE; ++call) {
    start(0, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  memset(received, 0, sizeof received);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) await(1);
  const int before = synchronous_sends();
  for (int which = 0; which < 2; ++which) start(which, &requests[which]);
  if (rank == 0) {
    int begun = 0, complete = 0;
    for (const time_t end = time(NULL) + 20; begun < 2 && !complete && time(NULL) < end;) {
      MPI_Test(&requests[0], &complete, MPI_STATUS_IGNORE);
      if (!complete) begun = synchronous_sends() - before;
    }
    printf("%d begun\n", begun);
  } else {
    say(1);
    await(0);
  }
  if (rank == 0) say(0);
  for (int which = 0; which < 2; ++which) MPI_Wait(&requests[which], MPI_STATUS_IGNORE);
  const int wrong = failures(rank);
  int all;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("failures %d\n", all);
  MPI_Finalize();
  return 0;
}
