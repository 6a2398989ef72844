// Sums of integers that do not fit their type. Prints a digest of the results for each type.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t digest = 0;

static void add(const void* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    digest = (digest ^ ((const unsigned char*)bytes)[i]) * UINT64_C(0x100000001b3);
  }
}

// Of all positions of the bits, and of both signs.
static void fill(unsigned char* bytes, size_t size, int rank) {
  uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(rank + 1);
  for (size_t i = 0; i < size; ++i) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    bytes[i] = (unsigned char)(state >> 56);
  }
}

static void sum(MPI_Datatype type, int count) {
  int rank = 0, ranks = 0, item = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Type_size(type, &item);
  const size_t size = (size_t)count * (size_t)item;
  unsigned char* own = malloc(size * (size_t)ranks);
  unsigned char* all = calloc(size, 1);
  fill(own, size * (size_t)ranks, rank);
  MPI_Allreduce(own, all, count, type, MPI_SUM, MPI_COMM_WORLD);
  add(all, size);
  MPI_Reduce(own, all, count, type, MPI_SUM, 0, MPI_COMM_WORLD);
  add(all, size);
  MPI_Reduce_scatter_block(own, all, count, type, MPI_SUM, MPI_COMM_WORLD);
  add(all, size);
  MPI_Scan(own, all, count, type, MPI_SUM, MPI_COMM_WORLD);
  add(all, size);
  free(own);
  free(all);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const MPI_Datatype types[] = {MPI_INT8_T,   MPI_UINT8_T, MPI_INT16_T,
                                MPI_UINT16_T, MPI_INT32_T, MPI_UINT64_T};
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 6; ++i) {
    digest = UINT64_C(0xcbf29ce484222325);
    sum(types[i], 1003);
    sum(types[i], 50021);
    if (rank == 0) printf("%d %016llx\n", i, (unsigned long long)digest);
  }
  MPI_Finalize();
  return 0;
}
