/* Collective calls that send from the same buffers again and again, of which a part is rewritten
 * every third round; with `persistent`, by requests made once; with another argument, noise. Every
 * value that arrives is checked. */
#include <mpi.h>
#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Allgather_init MPIX_Allgather_init
#define MPI_Alltoall_init MPIX_Alltoall_init
#define MPI_Scatter_init MPIX_Scatter_init
#define MPI_Gather_init MPIX_Gather_init
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { block = 1 << 18, rounds = 24 };

static int failures = 0;
static int checks = 0;

static int noise = 0;

static int mixed(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352dU;
  x = (x ^ x >> 15) * 0x846ca68bU;
  return (int)(x ^ x >> 16);
}

/* Of the block that `from` sends to `to`. */
static int expected(int from, int to, int round, int i) {
  const int rewritten = i >= 1000 && i < 3000;
  const int part = 100000 * from + 1000000 * to + (rewritten ? round / 3 : 0);
  return noise ? mixed((unsigned)(i + part)) : i / 9 + part;
}

static void fill(int* values, int from, int to, int round) {
  for (int i = 0; i < block; i++) values[i] = expected(from, to, round, i);
}

static void rewrite(int* values, int from, int to, int round) {
  for (int i = 1000; i < 3000; i++) values[i] = expected(from, to, round, i);
}

static void check(const int* values, int from, int to, int round, const char* what) {
  checks++;
  for (int i = 0; i < block; i++) {
    if (values[i] == expected(from, to, round, i)) continue;
    if (failures++ < 5) fprintf(stderr, "%s, round %d: value %d is wrong\n", what, round, i);
    return;
  }
}

enum Call { allgather, alltoall, scatter, gather, calls };

static int persistent = 0;
static MPI_Request requests[calls];
/* One block, the same to all; a block for every rank; room for a block of every rank. */
static int *own, *each, *room;

static void make_requests(void) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const MPI_Info none = MPI_INFO_NULL;
  MPI_Allgather_init(own, block, MPI_INT, room, block, MPI_INT, comm, none, &requests[allgather]);
  MPI_Alltoall_init(each, block, MPI_INT, room, block, MPI_INT, comm, none, &requests[alltoall]);
  MPI_Scatter_init(each, block, MPI_INT, room, block, MPI_INT, 1, comm, none, &requests[scatter]);
  MPI_Gather_init(own, block, MPI_INT, room, block, MPI_INT, 0, comm, none, &requests[gather]);
}

static void carry_out(enum Call call) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  if (persistent) {
    MPI_Start(&requests[call]);
    MPI_Wait(&requests[call], MPI_STATUS_IGNORE);
  } else if (call == allgather) {
    MPI_Allgather(own, block, MPI_INT, room, block, MPI_INT, comm);
  } else if (call == alltoall) {
    MPI_Alltoall(each, block, MPI_INT, room, block, MPI_INT, comm);
  } else if (call == scatter) {
    MPI_Scatter(each, block, MPI_INT, room, block, MPI_INT, 1, comm);
  } else {
    MPI_Gather(own, block, MPI_INT, room, block, MPI_INT, 0, comm);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  persistent = argc > 1 && strcmp(argv[1], "persistent") == 0;
  noise = argc > 1 && !persistent;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  own = malloc(sizeof *own * block); /* as if to rank 0 */
  each = malloc(sizeof *each * block * (size_t)ranks);
  room = malloc(sizeof *room * block * (size_t)ranks);
  if (persistent) make_requests();
  fill(own, rank, 0, 0);
  for (int to = 0; to < ranks; to++) fill(each + block * to, rank, to, 0);
  for (int round = 0; round < rounds; round++) {
    if (round % 3 == 0) {
      rewrite(own, rank, 0, round);
      for (int to = 0; to < ranks; to++) rewrite(each + block * to, rank, to, round);
    }
    carry_out(allgather);
    for (int from = 0; from < ranks; from++)
      check(room + block * from, from, 0, round, "Allgather");
    carry_out(alltoall);
    for (int from = 0; from < ranks; from++)
      check(room + block * from, from, rank, round, "Alltoall");
    carry_out(scatter);
    check(room, 1, rank, round, "Scatter");
    carry_out(gather);
    for (int from = 0; rank == 0 && from < ranks; from++)
      check(room + block * from, from, 0, round, "Gather");
  }
  for (int call = 0; persistent && call < calls; call++) MPI_Request_free(&requests[call]);
  const int mine[2] = {checks, failures};
  int all[2];
  MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("checks %d, failures %d\n", all[0], all[1]);
  MPI_Finalize();
  return failures != 0;
}
