/* ROUNDS rounds of collectives of 16 KiB whose values shrink; all that arrives is checked. With
 * `hint`, half of the ranks give a hint to a communicator of their own before. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { block = 1 << 12 };

static int failures = 0;
static int *own, *each, *room;

static int value(int from, int to, int round, int i) {
  return i / 64 + 1000 * from + 100000 * to + round;
}

static void fill(int* values, int from, int to, int round) {
  for (int i = 0; i < block; i++) values[i] = value(from, to, round, i);
}

static void check(const int* values, int from, int to, int round, const char* what) {
  for (int i = 0; i < block; i++) {
    if (values[i] == value(from, to, round, i)) continue;
    if (failures++ < 5) fprintf(stderr, "%s, round %d: value %d is wrong\n", what, round, i);
    return;
  }
}

static void carry_out(int round, int rank, int ranks) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const int last = ranks - 1;
  fill(own, rank, 0, round);
  for (int to = 0; to < ranks; to++) fill(each + block * to, rank, to, round);
  MPI_Allgather(own, block, MPI_INT, room, block, MPI_INT, comm);
  for (int from = 0; from < ranks; from++) check(room + block * from, from, 0, round, "Allgather");
  MPI_Alltoall(each, block, MPI_INT, room, block, MPI_INT, comm);
  for (int from = 0; from < ranks; from++)
    check(room + block * from, from, rank, round, "Alltoall");
  if (rank == last) {
    MPI_Scatter(each, block, MPI_INT, MPI_IN_PLACE, block, MPI_INT, last, comm);
  } else {
    MPI_Scatter(NULL, 0, MPI_INT, room, block, MPI_INT, last, comm);
    check(room, last, rank, round, "Scatter");
  }
  MPI_Gather(own, block, MPI_INT, room, block, MPI_INT, 0, comm);
  for (int from = 0; rank == 0 && from < ranks; from++) {
    check(room + block * from, from, 0, round, "Gather");
  }
  MPI_Bcast(own, block, MPI_INT, last, comm);
  check(own, last, 0, round, "Bcast");
  fill(own, rank, 0, round);
  MPI_Allreduce(own, room, block, MPI_INT, MPI_MAX, comm);
  check(room, last, 0, round, "Allreduce");
}

static void give_hint(int rank) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (rank % 2 == 0) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "tightwire_threshold_exact", "1K");
    MPI_Comm_set_info(half, info);
    MPI_Info_free(&info);
  }
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  own = malloc(sizeof *own * block);
  each = malloc(sizeof *each * block * (size_t)ranks);
  room = malloc(sizeof *room * block * (size_t)ranks);
  if (argc > 2 && strcmp(argv[2], "hint") == 0) give_hint(rank);
  for (int round = 0; round < rounds; round++) carry_out(round, rank, ranks);
  int all = 0;
  MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("failures %d\n", all);
  MPI_Finalize();
  return failures != 0;
}
