/* Sends a buffer of noise that hardly compresses, and the same buffer of values that do so often
 * that 40 messages come of it. Prints how many of them were compressed. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tightwire.h"

enum { count = 1 << 20, messages = 40 };

static float values[count];

// From 0 to 1000.
static void fill_with_noise(void) {
  uint64_t x = 88172645463325252u;
  for (int i = 0; i < count; ++i) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    values[i] = (float)(1000.0 * ((double)(x >> 11) / (double)(1ull << 53)));
  }
}

static void fill_smoothly(void) {
  for (int i = 0; i < count; ++i) values[i] = 0;
  values[0] = 1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fill_with_noise();
  for (int i = 0; i < messages; ++i) {
    if (rank == 0) MPI_Send(values, count, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(values, count, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1 && i > 0 && fabsf(values[0] - 1) > 1e-4F) MPI_Abort(MPI_COMM_WORLD, 1);
    if (i == 0) fill_smoothly();
  }
  struct tightwire_statistics statistics;
  tightwire_get_statistics(&statistics);
  if (rank == 0) printf("compressed %d of %d\n", (int)statistics.calls, messages);
  MPI_Finalize();
  return 0;
}
