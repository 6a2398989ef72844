// Preloaded behind the library: how many long messages a rank has asked for at once at most, by
// receives that are not the program's. most_asked_for() tells.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>

enum { places = 64, long_message = 64 << 10 };

typedef int irecv_function(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
typedef int test_function(MPI_Request*, int*, MPI_Status*);
typedef int wait_function(MPI_Request*, MPI_Status*);

static MPI_Request asked[places];
static int count = 0;
static int most = 0;

int most_asked_for(void);
int most_asked_for(void) {
  return most;
}

static void note(MPI_Request request) {
  if (count < places) asked[count++] = request;
  if (count > most) most = count;
}

static void forget(MPI_Request request) {
  for (int i = 0; i < count; i++) {
    if (asked[i] == request) asked[i--] = asked[--count];
  }
}

int PMPI_Irecv(void* buffer, int size, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Request* request) {
  static irecv_function* real = NULL;
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Irecv");
  const int code = real(buffer, size, type, source, tag, comm, request);
  if (type == MPI_BYTE && size >= long_message && comm != MPI_COMM_WORLD) note(*request);
  return code;
}

int PMPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  static test_function* real = NULL;
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Test");
  const MPI_Request tested = *request;
  const int code = real(request, flag, status);
  if (*flag) forget(tested);
  return code;
}

int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
  static wait_function* real = NULL;
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Wait");
  const MPI_Request awaited = *request;
  const int code = real(request, status);
  forget(awaited);
  return code;
}
