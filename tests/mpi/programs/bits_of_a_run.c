/* bits_of_a_run SEED: collectives and messages of fields that a solver might send, by ranks that are
   late now and then by amounts that are others at each SEED. Each rank prints a hash of all that it
   has received. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { values = 1 << 16, steps = 30, most_ranks = 4 };

static int rank, ranks;
static uint64_t hash = 1469598103934665603u;
static unsigned late;
static float* field;
static float* result;

static void learn(const float* bytes, int count) {
  const unsigned char* at = (const unsigned char*)bytes;
  for (size_t i = 0; i < sizeof(float) * (size_t)count; ++i)
    hash = (hash ^ at[i]) * 1099511628211u;
}

static void fill(int kind, int step) {
  for (int i = 0; i < values; ++i) {
    const double x = 1e-3 * i + 0.02 * step + rank;
    const double rough = (double)((unsigned)(i * 2654435761u + (unsigned)step) % 1000u) * 1e-5;
    field[i] = (float)(sin(x) + 0.3 * sin(7 * x + kind) + rough);
  }
}

/* Some tenths of a millisecond, at most. */
static void be_late(void) {
  late = late * 1664525u + 1013904223u;
  const double until = MPI_Wtime() + 1e-7 * (late >> 20);
  while (MPI_Wtime() < until) {
  }
}

static void exchange(void) {
  MPI_Request requests[2];
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  MPI_Irecv(result, values, MPI_FLOAT, before, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(field, values, MPI_FLOAT, next, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Status statuses[2]; /* Debian's MPICH lets gcc warn without */
  MPI_Waitall(2, requests, statuses);
}

static void exchange_again(void) {
  static MPI_Request requests[2];
  static int prepared = 0;
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  if (!prepared) {
    MPI_Recv_init(result, values, MPI_FLOAT, before, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(field, values, MPI_FLOAT, next, 2, MPI_COMM_WORLD, &requests[1]);
    prepared = 1;
  }
  MPI_Status statuses[2];
  MPI_Startall(2, requests);
  be_late();
  MPI_Waitall(2, requests, statuses);
}

static void sum_meanwhile(void) {
  MPI_Request request;
  MPI_Iallreduce(field, result, values, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &request);
  be_late();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void exchange_uneven_blocks(void) {
  int counts[most_ranks], places[most_ranks];
  for (int other = 0; other < ranks; ++other) {
    counts[other] = values / ranks - 100 * (rank + other);
    places[other] = values / ranks * other;
  }
  MPI_Alltoallv(field, counts, places, MPI_FLOAT, result, counts, places, MPI_FLOAT,
                MPI_COMM_WORLD);
}

static void call(int kind, int step) {
  const int part = values / ranks;
  switch (kind) {
    case 0:
      MPI_Allreduce(field, result, values, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      break;
    case 1:
      MPI_Bcast(field, values, MPI_FLOAT, step % ranks, MPI_COMM_WORLD);
      break;
    case 2:
      MPI_Alltoall(field, part, MPI_FLOAT, result, part, MPI_FLOAT, MPI_COMM_WORLD);
      break;
    case 3:
      exchange();
      break;
    case 4:
      sum_meanwhile();
      break;
    case 5:
      exchange_again();
      break;
    case 6:
      exchange_uneven_blocks();
      break;
    case 7:
      MPI_Allgather(field, part, MPI_FLOAT, result, part, MPI_FLOAT, MPI_COMM_WORLD);
      break;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > most_ranks) MPI_Abort(MPI_COMM_WORLD, 64);
  late = 77u * (unsigned)(argc > 1 ? atoi(argv[1]) : 0) + (unsigned)rank;
  /* Other places in memory at each run. */
  char* const shift = malloc(1 + late % 100000);
  field = malloc(values * sizeof(float));
  result = malloc(values * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    const int kinds = step % 2 == 0 ? 8 : 4;
    for (int kind = 0; kind < kinds; ++kind) {
      fill(kind, step);
      be_late();
      call(kind, step);
      learn(kind == 1 ? field : result, values / ranks * ranks);
    }
  }
  printf("rank %d: %016llx\n", rank, (unsigned long long)hash);
  free(field);
  free(result);
  free(shift);
  MPI_Finalize();
  return 0;
}
