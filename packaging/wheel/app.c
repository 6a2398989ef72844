// Sends and adds up whole numbers between two ranks, and says with which MPI they arrived.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { count = 1 << 18 };

static void require(int met, const char* what) {
  if (met) return;
  fprintf(stderr, "app: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  require(size == 2, "not two ranks: another MPI's mpirun?");
  int* sent = malloc(count * sizeof *sent);
  int* got = malloc(count * sizeof *got);
  for (int i = 0; i < count; ++i) sent[i] = i / 7;
  if (rank == 0) {
    MPI_Send(sent, count, MPI_INT, 1, 3, MPI_COMM_WORLD);
  } else {
    MPI_Recv(got, count, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    require(memcmp(sent, got, count * sizeof *sent) == 0, "what arrived differs");
  }
  MPI_Allreduce(sent, got, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) require(got[i] == 2 * sent[i], "the sum differs");
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(version, &length);
  version[strcspn(version, ",\n")] = 0;
  if (rank == 0) printf("right with %s\n", version);
  free(sent);
  free(got);
  return MPI_Finalize();
}
