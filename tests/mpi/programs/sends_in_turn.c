/* sends_in_turn VALUES MESSAGES: rank 0 sends messages to rank 1, each once the one before has been
 * answered. Who waits for an answer, or for the others' end, sleeps: whatever rank 1 does with its
 * messages, it has the cores. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void wait_for_answer(void) {
  const struct timespec nap = {0, 200000};
  int is_there = 0;
  while (!is_there) {
    MPI_Iprobe(1, 1, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    if (!is_there) nanosleep(&nap, NULL);
  }
  MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void answer(int rank) {
  MPI_Send(NULL, 0, MPI_INT, rank, 1, MPI_COMM_WORLD);
}

static void send_all(int* values, int count, int messages) {
  for (int i = 0; i < count; i++) values[i] = i / 7;
  for (int k = 0; k < messages; k++) {
    MPI_Request request;
    MPI_Isend(values, count, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wait_for_answer();
  }
}

static void receive_all(int* values, int count, int messages) {
  int wrong = 0;
  for (int k = 0; k < messages; k++) {
    MPI_Recv(values, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++) wrong += values[i] != i / 7;
    answer(0);
  }
  printf("wrong %d\n", wrong);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  const int count = atoi(argv[1]);
  const int messages = atoi(argv[2]);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int* values = calloc((size_t)count, sizeof *values);
  if (rank == 0) send_all(values, count, messages);
  if (rank == 1) receive_all(values, count, messages);
  if (rank > 1) wait_for_answer();
  for (int other = 2; rank == 1 && other < ranks; other++) answer(other);
  free(values);
  MPI_Finalize();
  return 0;
}
