/* Collective calls that send from the same buffers again and again, of which a part is rewritten
 * every third round; with an argument, noise. Every value that arrives is checked. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { block = 1 << 15, rounds = 24 };

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

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  noise = argc > 1;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int* own = malloc(sizeof *own * block);                   /* the same to all: as if to rank 0 */
  int* each = malloc(sizeof *each * block * (size_t)ranks); /* a block for every rank */
  int* room = malloc(sizeof *room * block * (size_t)ranks);
  fill(own, rank, 0, 0);
  for (int to = 0; to < ranks; to++) fill(each + block * to, rank, to, 0);
  for (int round = 0; round < rounds; round++) {
    if (round % 3 == 0) {
      rewrite(own, rank, 0, round);
      for (int to = 0; to < ranks; to++) rewrite(each + block * to, rank, to, round);
    }
    MPI_Allgather(own, block, MPI_INT, room, block, MPI_INT, MPI_COMM_WORLD);
    for (int from = 0; from < ranks; from++)
      check(room + block * from, from, 0, round, "Allgather");
    MPI_Alltoall(each, block, MPI_INT, room, block, MPI_INT, MPI_COMM_WORLD);
    for (int from = 0; from < ranks; from++)
      check(room + block * from, from, rank, round, "Alltoall");
    MPI_Scatter(each, block, MPI_INT, room, block, MPI_INT, 1, MPI_COMM_WORLD);
    check(room, 1, rank, round, "Scatter");
    MPI_Gather(own, block, MPI_INT, room, block, MPI_INT, 0, MPI_COMM_WORLD);
    for (int from = 0; rank == 0 && from < ranks; from++)
      check(room + block * from, from, 0, round, "Gather");
  }
  const int mine[2] = {checks, failures};
  int all[2];
  MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("checks %d, failures %d\n", all[0], all[1]);
  MPI_Finalize();
  return failures != 0;
}
