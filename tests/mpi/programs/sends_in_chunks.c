/* sends_in_chunks [VALUES]: sends one message; says how often MPI was asked meanwhile for what is
 * on its way (preload/ looks_that_move.c), and whether it came as it was. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int values = argc > 1 ? atoi(argv[1]) : 1 << 18;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* buffer = calloc((size_t)values, sizeof *buffer);
  if (rank == 0) {
    int (*looks)(void) = NULL;
    *(void**)&looks = dlsym(RTLD_DEFAULT, "looks_at_several");
    for (int i = 0; i < values; i++) buffer[i] = i / 7;
    const int before = looks != NULL ? looks() : 0;
    MPI_Send(buffer, values, MPI_INT, 1, 0, MPI_COMM_WORLD);
    printf("looks %d\n", looks != NULL ? looks() - before : -1);
  } else if (rank == 1) {
    int wrong = 0;
    MPI_Recv(buffer, values, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < values; i++) wrong += buffer[i] != i / 7;
    printf("wrong %d\n", wrong);
  }
  free(buffer);
  MPI_Finalize();
  return 0;
}
