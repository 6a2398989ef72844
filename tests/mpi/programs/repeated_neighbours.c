/* Neighbours that are neighbours more than once: which of their blocks meet is up to the MPI
 * library. Prints what each rank got, by MPI_Ineighbor_alltoall, _alltoallv and _alltoallw, on
 * grids of extent 1 and 2 that go around, and on a graph. To be the same under Tightwire as
 * without. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { VALUES = 5000, MOST = 16, LINE = 200 };

static int sent[MOST * VALUES], received[MOST * VALUES];
static int counts[MOST], places[MOST];
static MPI_Aint bytes[MOST];
static MPI_Datatype types[MOST];

/* Which block of which rank stands at a place, or that it is torn; rank 0 prints it for all. */
static void tell(const char* what, int rank, int blocks) {
  static char lines[MOST][LINE];
  char line[LINE] = "";
  int end = snprintf(line, sizeof line, "rank %d, %s:", rank, what);
  for (int i = 0; i < blocks; ++i) {
    const int first = received[i * VALUES];
    int torn = 0;
    for (int j = 0; j < VALUES; ++j) torn |= received[i * VALUES + j] != first + (first >= 0) * j;
    end += snprintf(line + end, sizeof line - (size_t)end, " %d%s",
                    first < 0 ? first : first / VALUES, torn ? " torn" : "");
  }
  MPI_Gather(line, LINE, MPI_CHAR, lines, LINE, MPI_CHAR, 0, MPI_COMM_WORLD);
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; rank == 0 && i < ranks; ++i) puts(lines[i]);
}

static void clear(void) {
  for (int i = 0; i < MOST * VALUES; ++i) received[i] = -1;
}

static void exchange(const char* where, MPI_Comm comm, int blocks) {
  char what[80];
  int rank;
  MPI_Comm_rank(comm, &rank);
  MPI_Request requests[3];
  for (int i = 0; i < MOST * VALUES; ++i) sent[i] = rank * MOST * VALUES + i;
  for (int round = 0; round < 3; ++round) {
    clear();
    if (round == 0) {
      MPI_Ineighbor_alltoall(sent, VALUES, MPI_INT, received, VALUES, MPI_INT, comm, requests);
    } else if (round == 1) {
      MPI_Ineighbor_alltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT,
                              comm, requests);
    } else {
      MPI_Ineighbor_alltoallw(sent, counts, bytes, types, received, counts, bytes, types, comm,
                              requests);
    }
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    snprintf(what, sizeof what, "%s, call %d", where, round);
    tell(what, rank, blocks);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < MOST; ++i) {
    counts[i] = VALUES;
    places[i] = i * VALUES;
    bytes[i] = (MPI_Aint)(i * VALUES * sizeof(int));
    types[i] = MPI_INT;
  }
  const int around[] = {1, 1};
  const int extents[] = {ranks / 2, 2};
  const int alone[] = {ranks, 1};
  MPI_Comm comm;
  MPI_Cart_create(MPI_COMM_WORLD, 2, extents, around, 0, &comm);
  exchange("grid of two", comm, 4);
  MPI_Comm_free(&comm);
  MPI_Cart_create(MPI_COMM_WORLD, 2, alone, around, 0, &comm);
  exchange("grid of one", comm, 4);
  MPI_Comm_free(&comm);
  /* Thrice to the next, once to the one after that. */
  const int next = (rank + 1) % ranks, behind = (rank + 2) % ranks;
  const int last = (rank + ranks - 1) % ranks, before = (rank + ranks - 2) % ranks;
  const int to[] = {next, behind, next, next}, from[] = {last, last, before, last};
  const int weights[] = {1, 1, 1, 1};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, from, weights, 4, to, weights, MPI_INFO_NULL, 0,
                                 &comm);
  exchange("graph", comm, 4);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
