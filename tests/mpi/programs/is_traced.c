// What preload/profiling_tool.c looks at: rank 0 sends large messages to rank 1 and back, and
// broadcasts. Prints "right" from rank 0 if all came as it was sent.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { count = 1 << 16, tag = 3 };

static int values[count], other[count];

static int is_right(const int* got) {
  for (int i = 0; i < count; ++i) {
    if (got[i] != i / 8) return 0;
  }
  return 1;
}

// Sent by the other rank first, or sent back.
static int exchange(int rank) {
  memset(other, 0xFF, sizeof other);
  if (rank == 0) MPI_Send(values, count, MPI_INT, 1, tag, MPI_COMM_WORLD);
  MPI_Recv(other, count, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(values, count, MPI_INT, 0, tag, MPI_COMM_WORLD);
  return is_right(other);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < count; ++i) values[i] = i / 8;
  MPI_Barrier(MPI_COMM_WORLD);
  const int exchanged = exchange(rank);
  if (rank == 1) memset(values, 0xFF, sizeof values);
  MPI_Bcast(values, count, MPI_INT, 0, MPI_COMM_WORLD);
  int all = 0;
  const int own = exchanged && is_right(values);
  MPI_Reduce(&own, &all, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (rank == 0 && all) puts("right");
  MPI_Finalize();
  return 0;
}
