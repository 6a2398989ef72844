// Preloaded before the library: MPI can make no more communicators for it, as where context ids are
// used up. Environment: SCARCE_FROM, which of the communicators that this process splits off fails,
// counted from 0, and all after it; SCARCE_RANK, on which rank, else on all.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int is_concerned(void) {
  const char* chosen = getenv("SCARCE_RANK");
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return chosen == NULL || rank == atoi(chosen);
}

int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  static int (*real)(MPI_Comm, int, int, MPI_Comm*);
  static int seen = 0;
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Comm_split");
  const int code = real(comm, color, key, made);
  if (code != MPI_SUCCESS || seen++ < atoi(getenv("SCARCE_FROM")) || !is_concerned()) return code;
  if (*made != MPI_COMM_NULL) PMPI_Comm_free(made);
  fprintf(stderr, "scarce: no communicator\n");
  PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  return MPI_ERR_OTHER;
}
