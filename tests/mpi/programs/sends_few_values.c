/* sends_few_values ROUNDS: persistent messages of 128 KiB between two ranks, as a solver's halo may
 * be at first: nearly all of it zeros. Whoever receives checks every value. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { values = 1 << 14, distance = 512 };

static double expected(int sender, int round, int i) {
  return i % distance == 0 ? 1 + sender + 0.37 * round + i / 7.0 : 0;
}

static double sent[values], received[values];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int rounds = argc > 1 ? atoi(argv[1]) : 0;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Recv_init(received, values, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(sent, values, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < values; ++i) sent[i] = expected(rank, round, i);
    MPI_Start(&requests[0]);
    MPI_Start(&requests[1]);
    MPI_Waitall(2, requests, statuses);
    for (int i = 0; i < values; ++i) wrong += received[i] != expected(1 - rank, round, i);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  printf("rounds %d, wrong %d\n", rounds, wrong);
  MPI_Finalize();
  return wrong != 0;
}
