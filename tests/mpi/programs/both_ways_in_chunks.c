/* both_ways_in_chunks all|waits|tests|one|frees: two ranks have four messages in chunks for each
 * other. What rank 0 sends has not left while it receives: rank 1 takes nothing before rank 0 has
 * all, for all at once, or for the last one first, waiting or testing for it alone. Says how many
 * chunks it had asked for at once at most (preload/asks_ahead.c), and what came wrong. Or both free
 * their receives, which MPI_Finalize ends; or rank 0 receives one and sends nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { messages = 4, values = 1 << 19 };
static MPI_Status statuses[messages];

/* Whose frames are long: 12 bits of each value are noise. */
static unsigned value(int rank, int message, unsigned i) {
  const unsigned hash = (i + 1) * 2654435761u + (unsigned)(rank * messages + message) * 40503u;
  return (i >> 8) << 12 | hash >> 20;
}

static void receive(const char* how, MPI_Request* receives) {
  int is_here = 0;
  if (strcmp(how, "waits") == 0) MPI_Wait(&receives[messages - 1], MPI_STATUS_IGNORE);
  while (strcmp(how, "tests") == 0 && !is_here) {
    MPI_Test(&receives[messages - 1], &is_here, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(messages, receives, statuses);
}

static int wrong_values(int rank, int count, unsigned* const* got) {
  int wrong = 0;
  for (int m = 0; m < count; m++) {
    for (unsigned i = 0; i < values; i++) wrong += got[m][i] != value(rank, m, i);
  }
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* how = argc > 1 ? argv[1] : "all";
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  const int one = strcmp(how, "one") == 0;
  const int frees = strcmp(how, "frees") == 0;
  const int given_count = !one ? messages : rank == 1;
  const int got_count = !one ? messages : rank == 0;
  unsigned* given[messages];
  unsigned* got[messages];
  MPI_Request sends[messages];
  MPI_Request receives[messages];
  for (int m = 0; m < messages; m++) {
    given[m] = malloc(values * sizeof *given[m]);
    got[m] = calloc(values, sizeof *got[m]);
    for (unsigned i = 0; i < values; i++) given[m][i] = value(rank, m, i);
    sends[m] = receives[m] = MPI_REQUEST_NULL;
  }
  for (int m = 0; m < given_count; m++) {
    MPI_Isend(given[m], values, MPI_UNSIGNED, other, m, MPI_COMM_WORLD, &sends[m]);
  }
  if (rank == 1 && !one && !frees) {
    MPI_Recv(NULL, 0, MPI_INT, 0, messages, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int m = 0; m < got_count; m++) {
    MPI_Irecv(got[m], values, MPI_UNSIGNED, other, m, MPI_COMM_WORLD, &receives[m]);
  }
  if (frees) {
    for (int m = 0; m < messages; m++) MPI_Request_free(&receives[m]);
    MPI_Waitall(messages, sends, statuses);
    MPI_Finalize();
    return 0;
  }
  receive(how, receives);
  if (rank == 0) {
    int (*most)(void) = NULL;
    *(void**)&most = dlsym(RTLD_DEFAULT, "most_asked_for");
    printf("asked %d\n", most != NULL ? most() : -1);
    if (!one) MPI_Send(NULL, 0, MPI_INT, 1, messages, MPI_COMM_WORLD);
  }
  MPI_Waitall(messages, sends, statuses);
  if (got_count > 0) printf("wrong %d\n", wrong_values(other, got_count, got));
  for (int m = 0; m < messages; m++) {
    free(given[m]);
    free(got[m]);
  }
  MPI_Finalize();
  return 0;
}
