/* Calls of many kinds, so many times and of so many bytes each: what a report must count. */
#include <mpi.h>
#include <stdlib.h>

enum { large = 1 << 20 };

static char* buffer;
static int rank, other;

static void messages(void) {
  for (int i = 0; i < 10; ++i) {
    MPI_Sendrecv(buffer, 64, MPI_BYTE, other, 0, buffer + large, 64, MPI_BYTE, other, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Send_init(buffer, 100, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(buffer + large, 100, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 6; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Irecv(buffer + large, large, MPI_BYTE, other, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Ssend_init(buffer, large, MPI_BYTE, other, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Start(&requests[1]);
  MPI_Waitall(2, requests, statuses);
  MPI_Request_free(&requests[1]);
  MPI_Send(buffer, 5, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

static void collectives(void) {
  double* sums = (double*)buffer;
  for (int i = 0; i < 4; ++i) {
    MPI_Allreduce(MPI_IN_PLACE, sums, large / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  for (int i = 0; i < 7; ++i) MPI_Bcast(buffer, 100, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i) {
    MPI_Alltoall(buffer, 1000, MPI_BYTE, buffer + large, 1000, MPI_BYTE, MPI_COMM_WORLD);
  }
  MPI_Bcast(buffer, large, MPI_BYTE, 0, MPI_COMM_SELF);
}

static void one_sided(void) {
  MPI_Win window;
  MPI_Win_create(buffer + large, large, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < 3; ++i) MPI_Put(buffer, 8192, MPI_BYTE, other, 0, 8192, MPI_BYTE, window);
  MPI_Win_fence(0, window);
  MPI_Accumulate(buffer, 10, MPI_INT, other, 0, 10, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  MPI_Get(buffer, 7, MPI_DOUBLE, other, 0, 7, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  buffer = calloc(2, large);
  messages();
  collectives();
  one_sided();
  free(buffer);
  MPI_Finalize();
  return 0;
}
