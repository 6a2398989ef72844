/* Sums noise that does not compress, then waves that do, then noise again. Prints how many calls of
 * each phase were compressed, and of its last ones. Run under tightwire, over a network. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#include "tightwire.h"

enum { count = 1 << 15, calls = 120, last = 8 };

static float own[count], result[count];

static void fill(int waves, int rank) {
  uint64_t x = 88172645463325252u + (uint64_t)rank;
  for (int i = 0; i < count; ++i) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    double noise = 1e9 * ((double)(x >> 11) / (double)(1ull << 53) - 0.5);
    own[i] = (float)(waves ? sin(i * 1e-3 + rank) : noise);
  }
}

static uint64_t compressed_calls(void) {
  struct tightwire_statistics statistics;
  tightwire_get_statistics(&statistics);
  return statistics.calls;
}

static void phase(const char* name, int waves, int rank) {
  fill(waves, rank);
  uint64_t before = compressed_calls(), before_last = 0;
  for (int i = 0; i < calls; ++i) {
    if (i == calls - last) before_last = compressed_calls();
    MPI_Allreduce(own, result, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  }
  uint64_t after = compressed_calls();
  if (rank == 0) {
    printf("%s: %d of %d compressed, %d of the last %d\n", name, (int)(after - before), (int)calls,
           (int)(after - before_last), (int)last);
  }
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  phase("noise", 0, rank);
  phase("waves", 1, rank);
  phase("noise again", 0, rank);
  MPI_Finalize();
  return 0;
}
