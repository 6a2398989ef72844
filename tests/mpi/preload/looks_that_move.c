// Preloaded behind the library: a look at several requests takes 100 microseconds, as where it moves
// bytes. looks_at_several() says how many there were.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>

typedef int testsome_function(int, MPI_Request[], int*, int[], MPI_Status[]);

static int looks = 0;

int looks_at_several(void);
int looks_at_several(void) {
  return looks;
}

int PMPI_Testsome(int count, MPI_Request requests[], int* found, int indices[],
                  MPI_Status statuses[]) {
  static testsome_function* real = NULL;
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Testsome");
  ++looks;
  const double start = PMPI_Wtime();
  while (PMPI_Wtime() - start < 100e-6) {
  }
  return real(count, requests, found, indices, statuses);
}
