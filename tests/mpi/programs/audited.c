/* What an audit finds: messages from functions of their own, each with its kind of values.
 * audited [STEPS]; prints a checksum of all that arrived. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { VALUES = 1 << 17 };

static double smooth[VALUES];
static double noise[VALUES];
static double arrived[VALUES];
static int rank, ranks;
static double sum;

static void fill(int step) {
  unsigned state = 12345u + (unsigned)rank + 77u * (unsigned)step;
  for (int i = 0; i < VALUES; ++i) {
    smooth[i] = sin(1e-3 * i + rank + 0.1 * step);
    state = state * 1664525u + 1013904223u;
    noise[i] = state / 4294967296.0 + 1e-9 * (state >> 7);
  }
}

static void add_up(void) {
  for (int i = 0; i < VALUES; i += 97) sum += arrived[i];
}

__attribute__((noinline)) static void exchange_halo(void) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Irecv(arrived, VALUES, MPI_DOUBLE, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, requests);
  MPI_Isend(smooth, VALUES, MPI_DOUBLE, (rank + 1) % ranks, 1, MPI_COMM_WORLD, requests + 1);
  MPI_Waitall(2, requests, statuses);
  add_up();
}

__attribute__((noinline)) static void swap_noise(void) {
  MPI_Sendrecv(noise, VALUES, MPI_DOUBLE, (rank + 1) % ranks, 2, arrived, VALUES, MPI_DOUBLE,
               (rank + ranks - 1) % ranks, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  add_up();
}

__attribute__((noinline)) static void sum_fields(void) {
  MPI_Allreduce(smooth, arrived, VALUES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  add_up();
}

__attribute__((noinline)) static void spread(int root) {
  if (rank == root) {
    for (int i = 0; i < VALUES; ++i) arrived[i] = smooth[i];
  }
  MPI_Bcast(arrived, VALUES, MPI_DOUBLE, root, MPI_COMM_WORLD);
  add_up();
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int steps = count > 1 ? atoi(words[1]) : 4;
  for (int step = 0; step < steps; ++step) {
    fill(step);
    exchange_halo();
    swap_noise();
    sum_fields();
    spread(0);
  }
  double all = 0;
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.17g\n", all);
  return MPI_Finalize();
}
