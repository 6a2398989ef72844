// Preloaded behind the library: counts what MPI is asked while it has a receive of a message that
// crosses one of the program's own, on MPI_COMM_WORLD, and has not been given that yet. MPI would
// move on, and grant the one before it announces the other. Says at the end how often.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

static int expected = 0;
static int looks = 0;

__attribute__((destructor)) static void tell(void) {
  printf("asked before a crossing message was sent: %d\n", looks);
}

static void look(void) {
  if (expected > 0) ++looks;
}

static void post(MPI_Comm comm, int change) {
  if (comm == MPI_COMM_WORLD) expected += change;
}

#define REAL(name, ...)                   \
  static int (*real)(__VA_ARGS__) = NULL; \
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, #name)

int PMPI_Irecv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Request* request) {
  REAL(PMPI_Irecv, void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  post(comm, 1);
  return real(buf, count, type, source, tag, comm, request);
}

int PMPI_Isend(const void* buf, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,
               MPI_Request* request) {
  REAL(PMPI_Isend, const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  post(comm, -1);
  return real(buf, count, type, target, tag, comm, request);
}

int PMPI_Send(const void* buf, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm) {
  REAL(PMPI_Send, const void*, int, MPI_Datatype, int, int, MPI_Comm);
  post(comm, -1);
  return real(buf, count, type, target, tag, comm);
}

// Made persistent: the program's own, and those in place of PMPI_Isend, which are started at once.
static struct {
  MPI_Request request;
  int change;
} made[64];
static int made_count = 0;

static void make(MPI_Request request, MPI_Comm comm, int change) {
  if (comm != MPI_COMM_WORLD) return;
  made[made_count % 64].request = request;
  made[made_count++ % 64].change = change;
}

int PMPI_Recv_init(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  REAL(PMPI_Recv_init, void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  const int code = real(buf, count, type, source, tag, comm, request);
  make(*request, comm, 1);
  return code;
}

int PMPI_Send_init(const void* buf, int count, MPI_Datatype type, int target, int tag,
                   MPI_Comm comm, MPI_Request* request) {
  REAL(PMPI_Send_init, const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  const int code = real(buf, count, type, target, tag, comm, request);
  make(*request, comm, -1);
  return code;
}

int PMPI_Start(MPI_Request* request) {
  REAL(PMPI_Start, MPI_Request*);
  for (int i = made_count; i > 0 && i > made_count - 64; --i) {
    if (made[(i - 1) % 64].request != *request) continue;
    post(MPI_COMM_WORLD, made[(i - 1) % 64].change);
    break;
  }
  return real(request);
}

int PMPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  REAL(PMPI_Test, MPI_Request*, int*, MPI_Status*);
  look();
  return real(request, flag, status);
}

int PMPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  REAL(PMPI_Request_get_status, MPI_Request, int*, MPI_Status*);
  look();
  return real(request, flag, status);
}

int PMPI_Testsome(int count, MPI_Request requests[], int* found, int indices[],
                  MPI_Status statuses[]) {
  REAL(PMPI_Testsome, int, MPI_Request[], int*, int[], MPI_Status[]);
  look();
  return real(count, requests, found, indices, statuses);
}

int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  REAL(PMPI_Iprobe, int, int, MPI_Comm, int*, MPI_Status*);
  look();
  return real(source, tag, comm, flag, status);
}

int PMPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                 MPI_Status* status) {
  REAL(PMPI_Improbe, int, int, MPI_Comm, int*, MPI_Message*, MPI_Status*);
  look();
  return real(source, tag, comm, flag, message, status);
}

int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
  REAL(PMPI_Wait, MPI_Request*, MPI_Status*);
  look();
  return real(request, status);
}
