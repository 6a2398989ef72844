// Broadcasts, twice, and sends to rank 1 measurements among which stands one number that is none.
//   has_sentinel NUMBER
#include <mpi.h>
#include <stdlib.h>

enum { count = 50000 };

int main(int argc, char** argv) {
  static double values[count];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; rank == 0 && i < count; ++i) values[i] = 270 + i % 30 + i * 1e-6;
  if (rank == 0) values[count / 3 + 1] = atof(argv[1]);
  for (int i = 0; i < 2; ++i) MPI_Bcast(values, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(values, count, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(values, count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
