/* moves_fields [OPERATION]: fields that a solver might hold, through every operation that Tightwire
   carries out among all ranks, and from each rank to the next; or through that one, by its number.
   Each rank prints a hash of all that it has received. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { values = 3 << 19, period = 4096 }; /* a share for each of 2, 3, 4, 6 or 8 ranks */

static int rank, ranks;
static uint64_t hash = 1469598103934665603u;
static float* field;
static float* result;
static float wave[period];

static void fill(int step) {
  for (int i = 0; i < values; ++i) {
    const float rough = (float)(((unsigned)i * 2654435761u + (unsigned)step) >> 22) * 1e-5f;
    field[i] = wave[(i + 77 * step + 501 * rank) % period] + rough;
    result[i] = 0;
  }
}

static void learn(const float* bytes) {
  for (int i = 0; i < values; i += 2) {
    uint64_t word;
    memcpy(&word, bytes + i, sizeof word);
    hash = (hash ^ word ^ hash >> 29) * 1099511628211u;
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

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const MPI_Comm all = MPI_COMM_WORLD;
  const int only = argc > 1 ? atoi(argv[1]) : -1;
  const int part = values / ranks;
  field = malloc(values * sizeof(float));
  result = malloc(values * sizeof(float));
  for (int i = 0; i < period; ++i) wave[i] = (float)sin(6.283185307179586 * i / period);
  for (int step = 0; step < 2; ++step) {
    const int root = step % ranks;
    for (int operation = 0; operation < 10; ++operation) {
      if (only >= 0 && operation != only) continue;
      fill(10 * step + operation);
      switch (operation) {
        case 0:
          MPI_Allreduce(field, result, values, MPI_FLOAT, MPI_SUM, all);
          break;
        case 1:
          MPI_Allreduce(MPI_IN_PLACE, field, values, MPI_FLOAT, MPI_MAX, all);
          break;
        case 2:
          MPI_Reduce(field, result, values, MPI_FLOAT, MPI_SUM, root, all);
          break;
        case 3:
          MPI_Reduce_scatter_block(field, result, part, MPI_FLOAT, MPI_SUM, all);
          break;
        case 4:
          MPI_Bcast(field, values, MPI_FLOAT, root, all);
          break;
        case 5:
          MPI_Allgather(field, part, MPI_FLOAT, result, part, MPI_FLOAT, all);
          break;
        case 6:
          MPI_Gather(field, part, MPI_FLOAT, result, part, MPI_FLOAT, root, all);
          break;
        case 7:
          MPI_Scatter(field, part, MPI_FLOAT, result, part, MPI_FLOAT, root, all);
          break;
        case 8:
          MPI_Alltoall(field, part, MPI_FLOAT, result, part, MPI_FLOAT, all);
          break;
        case 9:
          exchange();
          break;
      }
      learn(field);
      learn(result);
    }
  }
  printf("rank %d received %016llx\n", rank, (unsigned long long)hash);
  free(field);
  free(result);
  MPI_Finalize();
  return 0;
}
