/* Sums or moves noise that does not compress, then waves that do, then noise again. Prints how many
 * calls of each phase were compressed, and of its last ones. Run under tightwire, over a network.
 *   noise_and_waves allreduce|alltoallv|neighbours|gatherv|scatterv */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tightwire.h"

enum { count = 1 << 15, calls = 120, last = 8, most_ranks = 4 };

static float own[most_ranks * count], result[most_ranks * count];
static int counts[most_ranks], places[most_ranks];
static MPI_Comm ring;

// Far from 0, so that no bound helps: to be added, or any bits that are.
static float noise(uint64_t random, int summed) {
  uint32_t bits = (uint32_t)(random >> 16) | 0x40000000u;
  float value;
  memcpy(&value, &bits, sizeof value);
  return summed ? (float)(1e9 * ((double)(random >> 11) / (double)(1ull << 53) - 0.5)) : value;
}

static void fill(int waves, int summed, int rank) {
  uint64_t x = 88172645463325252u + (uint64_t)rank;
  for (int i = 0; i < most_ranks * count; ++i) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    own[i] = waves ? (float)sin(i * 1e-3 + rank) : noise(x, summed);
  }
}

static uint64_t compressed_calls(void) {
  struct tightwire_statistics statistics;
  tightwire_get_statistics(&statistics);
  return statistics.calls;
}

static void call(const char* operation) {
  MPI_Comm comm = MPI_COMM_WORLD;
  if (strcmp(operation, "allreduce") == 0) {
    MPI_Allreduce(own, result, count, MPI_FLOAT, MPI_SUM, comm);
  } else if (strcmp(operation, "alltoallv") == 0) {
    MPI_Alltoallv(own, counts, places, MPI_FLOAT, result, counts, places, MPI_FLOAT, comm);
  } else if (strcmp(operation, "neighbours") == 0) {
    MPI_Neighbor_alltoallv(own, counts, places, MPI_FLOAT, result, counts, places, MPI_FLOAT, ring);
  } else if (strcmp(operation, "gatherv") == 0) {
    MPI_Gatherv(own, count, MPI_FLOAT, result, counts, places, MPI_FLOAT, 0, comm);
  } else if (strcmp(operation, "scatterv") == 0) {
    MPI_Scatterv(own, counts, places, MPI_FLOAT, result, count, MPI_FLOAT, 0, comm);
  } else {
    MPI_Abort(comm, 64);
  }
}

static void phase(const char* operation, const char* name, int waves, int rank) {
  fill(waves, strcmp(operation, "allreduce") == 0, rank);
  uint64_t before = compressed_calls(), before_last = 0;
  for (int i = 0; i < calls; ++i) {
    if (i == calls - last) before_last = compressed_calls();
    call(operation);
  }
  uint64_t after = compressed_calls();
  if (rank == 0) {
    printf("%s: %d of %d compressed, %d of the last %d\n", name, (int)(after - before), (int)calls,
           (int)(after - before_last), (int)last);
  }
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 2 || ranks > most_ranks) MPI_Abort(MPI_COMM_WORLD, 64);
  for (int i = 0; i < ranks; ++i) {
    counts[i] = count;
    places[i] = i * count;
  }
  const int around = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &around, 0, &ring);
  phase(argv[1], "noise", 0, rank);
  phase(argv[1], "waves", 1, rank);
  phase(argv[1], "noise again", 0, rank);
  MPI_Finalize();
  return 0;
}
