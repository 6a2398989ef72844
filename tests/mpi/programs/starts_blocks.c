/* Blocks for the two neighbours in a ring: the same random bits in all calls. Of "noise", which no
 * codec shrinks, or "records": small numbers, as integers look that are stored as floating-point
 * ones. Synchronous sends are those of blocks without frames: rank 0 prints for each call how many
 * of them it had begun when MPI_Ineighbor_alltoall returned, and when it had waited. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 1 << 17, CALLS = 6 };

static float sent[2 * VALUES], received[2 * VALUES];
/* Of preload/count_synchronous.c. */
typedef int count_function(void);

static float value(int rank, int i, int records) {
  uint32_t bits = (uint32_t)(i + 1) * 2654435761U + (uint32_t)rank * 40503U;
  bits ^= bits >> 15;
  bits *= 2246822519U;
  bits ^= bits >> 13;
  bits = records ? bits & 0xbfffffffU : (bits & 0xbfffffffU) | 0x40000000U;
  if ((bits & 0x7f800000U) == 0x7f800000U) bits ^= 0x00800000U;
  float made;
  memcpy(&made, &bits, sizeof made);
  return made;
}

/* What the rank before sent to the one after it is the second half of its values. */
static int failures(int rank, int ranks, int records) {
  int count = 0;
  for (int i = 0; i < VALUES; ++i) {
    const float before = value((rank + ranks - 1) % ranks, VALUES + i, records);
    const float after = value((rank + 1) % ranks, i, records);
    count += fabs((double)received[i] - before) > 1e-3;
    count += fabs((double)received[VALUES + i] - after) > 1e-3;
  }
  return count;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  count_function* synchronous_sends = NULL;
  *(void**)&synchronous_sends = dlsym(RTLD_DEFAULT, "synchronous_sends");
  if (synchronous_sends == NULL) MPI_Abort(MPI_COMM_WORLD, 64);
  const int around = 1, records = argc > 1 && strcmp(argv[1], "records") == 0;
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &around, 0, &ring);
  for (int i = 0; i < 2 * VALUES; ++i) sent[i] = value(rank, i, records);
  for (int call = 0; call < CALLS; ++call) {
    MPI_Request request;
    memset(received, 0xff, sizeof received);
    const int before = synchronous_sends();
    MPI_Ineighbor_alltoall(sent, VALUES, MPI_FLOAT, received, VALUES, MPI_FLOAT, ring, &request);
    const int at_once = synchronous_sends() - before;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) printf("%d of %d\n", at_once, synchronous_sends() - before);
    if (failures(rank, ranks, records) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
