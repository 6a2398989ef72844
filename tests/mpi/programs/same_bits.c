/* Sums within the bound by every algorithm and for several orders of the ranks: all bits must be
 * equal. Prints "combinations N, different 0". Run under tightwire. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tightwire.h"

static const char* const algorithms[] = {"ring", "recursive-doubling", "rabenseifner"};
enum { orders = 4, sizes = 3 };
static const int counts[sizes] = {1100, 20011, 70000};

static int rank, ranks;

/* What member m of the sum puts in at place i: smooth, with noise, and quiet in between. */
static double value(int m, int i) {
  uint32_t x = (uint32_t)(m * 7919 + i) * 2654435761u;
  x ^= x >> 15;
  double noise = (double)(x * 2246822519u >> 8) / (1 << 24) - 0.5;
  return i / 3000 % 3 == 1 ? 0 : (m + 1) * 1e-4 * (i % 777) + 0.01 * noise;
}

/* Which member a rank plays in an order: turned, turned back, mirrored, or as it is. */
static int member(int order) {
  switch (order) {
    case 1:
      return (rank + 1) % ranks;
    case 2:
      return ranks - 1 - rank;
    case 3:
      return ranks > 2 ? (rank < 2 ? 1 - rank : rank) : rank;
    default:
      return rank;
  }
}

static void* sum(int order, int count, MPI_Datatype type) {
  int size;
  MPI_Type_size(type, &size);
  void* own = malloc((size_t)count * size);
  void* result = malloc((size_t)count * size);
  for (int i = 0; i < count; ++i) {
    double v = value(member(order), i);
    if (type == MPI_FLOAT) {
      ((float*)own)[i] = (float)v;
    } else {
      ((double*)own)[i] = v;
    }
  }
  MPI_Allreduce(own, result, count, type, MPI_SUM, MPI_COMM_WORLD);
  free(own);
  return result;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const MPI_Datatype types[] = {MPI_FLOAT, MPI_DOUBLE};
  int combinations = 0, different = 0;
  for (int t = 0; t < 2; ++t) {
    for (int s = 0; s < sizes; ++s) {
      int size;
      MPI_Type_size(types[t], &size);
      void* first = NULL;
      for (int a = 0; a < 3; ++a) {
        if (tightwire_set("algorithm", algorithms[a]) != TIGHTWIRE_OK) MPI_Abort(MPI_COMM_WORLD, 2);
        for (int order = 0; order < orders; ++order) {
          void* result = sum(order, counts[s], types[t]);
          if (first == NULL) {
            first = result;
            continue;
          }
          ++combinations;
          different += memcmp(first, result, (size_t)counts[s] * size) != 0;
          free(result);
        }
      }
      free(first);
    }
  }
  int all = 0;
  MPI_Reduce(&different, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("combinations %d, different %d\n", combinations, all);
  MPI_Finalize();
  return different != 0;
}
