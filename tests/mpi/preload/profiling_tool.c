// A tool as MPI 4.0, section 15.2, describes them: it has functions of MPI's names, and calls those
// of the profiling interface. Preloaded, linked to a program, or a part of one. Rank 0 prints which
// of the calls it has seen. As many tools do, it relies on having seen MPI_Init.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { init, barrier, send, recv, bcast, finalize, kinds };
static const char* const names[] = {"Init", "Barrier", "Send", "Recv", "Bcast", "Finalize"};

static int* seen = NULL;

int MPI_Init(int* argc, char*** argv) {
  seen = calloc(kinds, sizeof *seen);
  ++seen[init];
  return PMPI_Init(argc, argv);
}

int MPI_Barrier(MPI_Comm comm) {
  ++seen[barrier];
  return PMPI_Barrier(comm);
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  ++seen[send];
  return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  ++seen[recv];
  return PMPI_Recv(buffer, count, type, from, tag, comm, status);
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  ++seen[bcast];
  return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Finalize(void) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ++seen[finalize];
  for (int i = 0; rank == 0 && i < kinds; ++i) printf("tool: %s %d\n", names[i], seen[i]);
  fflush(stdout);
  return PMPI_Finalize();
}
