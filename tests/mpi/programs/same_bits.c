/* Sums, minima and maxima within the bound by every algorithm and for several orders of the ranks:
 * all bits must be equal. Prints "combinations N, different 0". Run under tightwire. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tightwire.h"

static const char* const algorithms[] = {"ring", "recursive-doubling", "rabenseifner"};
enum { orders = 4, sizes = 3 };
static const int counts[sizes] = {1100, 20011, 70000};

typedef struct {
  MPI_Datatype type;
  MPI_Op op;
  int numbers; /* of an item */
  int is_float;
} Kind;

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

static void* reduced(int order, int items, const Kind* kind) {
  const int count = items * kind->numbers;
  const size_t size = (size_t)count * (kind->is_float ? sizeof(float) : sizeof(double));
  void* own = malloc(size);
  void* result = malloc(size);
  for (int i = 0; i < count; ++i) {
    double v = value(member(order), i);
    if (kind->is_float) {
      ((float*)own)[i] = (float)v;
    } else {
      ((double*)own)[i] = v;
    }
  }
  MPI_Allreduce(own, result, items, kind->type, kind->op, MPI_COMM_WORLD);
  free(own);
  return result;
}

/* Returns how many combinations of algorithm and order give other bits than the first. */
static int different(int items, const Kind* kind, int* combinations) {
  const size_t size =
      (size_t)items * kind->numbers * (kind->is_float ? sizeof(float) : sizeof(double));
  void* first = NULL;
  int found = 0;
  for (int a = 0; a < 3; ++a) {
    if (tightwire_set("algorithm", algorithms[a]) != TIGHTWIRE_OK) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int order = 0; order < orders; ++order) {
      void* result = reduced(order, items, kind);
      if (first == NULL) {
        first = result;
        continue;
      }
      ++*combinations;
      found += memcmp(first, result, size) != 0;
      free(result);
    }
  }
  free(first);
  return found;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Kind kinds[] = {
      {MPI_FLOAT, MPI_SUM, 1, 1},           {MPI_DOUBLE, MPI_SUM, 1, 0},
      {MPI_FLOAT, MPI_MIN, 1, 1},           {MPI_DOUBLE, MPI_MAX, 1, 0},
      {MPI_C_FLOAT_COMPLEX, MPI_SUM, 2, 1}, {MPI_C_DOUBLE_COMPLEX, MPI_SUM, 2, 0}};
  int combinations = 0, found = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    for (int s = 0; s < sizes; ++s) found += different(counts[s], &kinds[k], &combinations);
  }
  int all = 0;
  MPI_Reduce(&found, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("combinations %d, different %d\n", combinations, all);
  MPI_Finalize();
  return found != 0;
}
