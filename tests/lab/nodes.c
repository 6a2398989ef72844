// Prints what MPI makes of the lab: one line per rank. With an argument it then never ends.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { VALUES = 1 << 18 };
static float mine[VALUES], sum[VALUES];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, on_node;
  MPI_Comm node;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &on_node);
  for (int i = 0; i < VALUES; ++i) mine[i] = (float)rank;
  MPI_Allreduce(mine, sum, VALUES, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  char host[64];
  gethostname(host, sizeof host);
  printf("rank %d of %d on %s with %d, sum %g, pid %d\n", rank, size, host, on_node,
         sum[VALUES - 1], (int)getpid());
  fflush(stdout);
  while (argc > 1) pause();
  MPI_Comm_free(&node);
  MPI_Finalize();
  return 0;
}
