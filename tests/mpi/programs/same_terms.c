/* same_terms: sums to which each element gets the same two numbers, whatever the number of ranks:
   of two of these, and zeros of all others. Rank 0 prints a hash of what it and all others hold,
   and the largest error. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { count = 1 << 17, terms = 2 };

static int rank, ranks, wrong = 0;
static uint64_t hash = 1469598103934665603u;

static double value(int element, int term) {
  return sin(1e-4 * element + 2 * term) + 1e-3 * ((unsigned)(element * 2654435761u) % 1000u);
}

static double contribution(int element) {
  for (int term = 0; term < terms; ++term) {
    if ((element / 7 + term) % ranks == rank) return value(element, term);
  }
  return 0;
}

static uint64_t hash_of(const void* bytes, size_t size) {
  uint64_t made = 1469598103934665603u;
  for (size_t i = 0; i < size; ++i)
    made = (made ^ ((const unsigned char*)bytes)[i]) * 1099511628211u;
  return made;
}

/* All ranks hold these bytes. */
static void learn(const void* bytes, size_t size) {
  const uint64_t own = hash_of(bytes, size);
  uint64_t ends[2] = {own, ~own};
  MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  if (ends[0] != ~ends[1]) ++wrong;
  hash = (hash ^ own) * 1099511628211u;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  float* const single = malloc(count * sizeof *single);
  float* const sum = malloc(count * sizeof *sum);
  double* const own = malloc(count * sizeof *own);
  double* const total = malloc(count * sizeof *total);
  for (int i = 0; i < count; ++i) {
    own[i] = contribution(i);
    single[i] = (float)own[i];
  }
  double error = 0;
  for (int call = 0; call < 3; ++call) {
    MPI_Request request;
    MPI_Allreduce(single, sum, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    learn(sum, count * sizeof *sum);
    MPI_Iallreduce(own, total, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    learn(total, count * sizeof *total);
    for (int i = 0; i < count; ++i) {
      const double off = fabs(total[i] - value(i, 0) - value(i, 1));
      error = off > error ? off : error;
    }
    MPI_Reduce(single, sum, count, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Bcast(sum, count * (int)sizeof *sum, MPI_BYTE, 0, MPI_COMM_WORLD);
    learn(sum, count * sizeof *sum);
  }
  if (rank == 0) printf("%016llx error %.3g wrong %d\n", (unsigned long long)hash, error, wrong);
  free(single);
  free(sum);
  free(own);
  free(total);
  MPI_Finalize();
  return wrong != 0;
}
