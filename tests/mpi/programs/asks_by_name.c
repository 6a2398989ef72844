// Calls MPI 4's functions with wide counts if it finds them by their names, as mpi4py does: so it
// also runs with an older MPI, for which it takes this one. Two ranks; `asks_by_name refused` calls
// with counts that MPI 3 cannot take.
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { count = 1 << 18 };

static int rank;
static int* sent;
static int* got;

// In MPI's place, whose age is that of the one which is used.
int PMPI_Get_version(int* version, int* subversion) {
  *version = 3;
  *subversion = 1;
  return MPI_SUCCESS;
}

static void require(int met, const char* what) {
  if (met) return;
  fprintf(stderr, "asks_by_name: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void* named(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  require(found != NULL, name);
  return found;
}
#define FIND(name) __typeof__(&MPI_##name) name = (__typeof__(&MPI_##name))named("MPI_" #name)

// The other rank's, or this one's, as of element `first`.
static void require_values(const int* values, int number, int first, int of_rank,
                           const char* call) {
  for (int i = 0; i < number; ++i) require(values[i] == (first + i) / 7 + of_rank, call);
}

static void messages(void) {
  FIND(Send_c);
  FIND(Recv_c);
  FIND(Isend_c);
  FIND(Irecv_c);
  FIND(Sendrecv_c);
  MPI_Datatype pairs;
  MPI_Type_vector(count / 4, 2, 4, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  if (rank == 0) {
    Send_c(sent, count, MPI_INT, 1, 1, MPI_COMM_WORLD);
    Send_c(sent, 1, pairs, 1, 2, MPI_COMM_WORLD);
    Send_c(sent, 3, MPI_INT, 1, 3, MPI_COMM_WORLD);
  } else {
    Recv_c(got, count, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    require_values(got, count, 0, 0, "MPI_Recv_c");
    memset(got, -1, count * sizeof *got);
    Recv_c(got, 1, pairs, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; ++i) require(got[i] == (i % 4 < 2 ? i / 7 : -1), "a derived type");
    MPI_Status status;
    int items = 0;
    Recv_c(got, count, MPI_INT, 0, 3, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &items);
    require(items == 3, "the count of what arrived");
  }
  MPI_Request requests[2];
  Irecv_c(got, count, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &requests[0]);
  Isend_c(sent, count, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &requests[1]);
  MPI_Status statuses[2];
  MPI_Waitall(2, requests, statuses);
  require_values(got, count, 0, 1 - rank, "MPI_Irecv_c");
  Sendrecv_c(sent, 5, MPI_INT, 1 - rank, 5, got, 5, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  require_values(got, 5, 0, 1 - rank, "MPI_Sendrecv_c");
  MPI_Type_free(&pairs);
}

// Rank 0 sends 2 to itself and 3 to rank 1, which sends 4 and 5, each from a place of its own.
static void uneven_blocks(void) {
  FIND(Alltoallv_c);
  FIND(Ialltoallv_c);
  FIND(Alltoallw_c);
  const MPI_Count numbers[2] = {2 + 2 * rank, 3 + 2 * rank};
  const MPI_Count arriving[2] = {2 + rank, 4 + rank};
  const MPI_Aint from[2] = {10, 20};
  const MPI_Aint to[2] = {30, 0};
  for (int which = 0; which < 3; ++which) {
    memset(got, -1, count * sizeof *got);
    if (which == 0) {
      Alltoallv_c(sent, numbers, from, MPI_INT, got, arriving, to, MPI_INT, MPI_COMM_WORLD);
    } else if (which == 1) {
      MPI_Request request;
      Ialltoallv_c(sent, numbers, from, MPI_INT, got, arriving, to, MPI_INT, MPI_COMM_WORLD,
                   &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      const MPI_Aint bytes_from[2] = {10 * sizeof(int), 20 * sizeof(int)};
      const MPI_Aint bytes_to[2] = {30 * sizeof(int), 0};
      const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
      Alltoallw_c(sent, numbers, bytes_from, types, got, arriving, bytes_to, types, MPI_COMM_WORLD);
    }
    require_values(got + 30, 2 + rank, rank == 0 ? 10 : 20, 0, "MPI_Alltoall of rank 0's");
    require_values(got, 4 + rank, rank == 0 ? 10 : 20, 1, "MPI_Alltoall of rank 1's");
    require(got[4 + rank] == -1 && got[32 + rank] == -1, "values where none belong");
  }
  FIND(Gatherv_c);
  // At others than the root these may be anything.
  const MPI_Count* at_root = rank == 1 ? arriving : (const MPI_Count*)8;
  const MPI_Aint* places = rank == 1 ? to : (const MPI_Aint*)8;
  Gatherv_c(sent, 3 + 2 * rank, MPI_INT, got, at_root, places, MPI_INT, 1, MPI_COMM_WORLD);
  if (rank == 1) require_values(got, 5, 0, 1, "MPI_Gatherv_c");
}

static void neighbours(void) {
  FIND(Neighbor_alltoallw_c);
  MPI_Comm ring;
  const int size = 2;
  const int periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  const MPI_Count numbers[2] = {6, 6};
  const MPI_Aint places[2] = {0, 64};
  const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  Neighbor_alltoallw_c(sent, numbers, places, types, got, numbers, places, types, ring);
  const int other = got[0];
  require(other == 1 - rank || other == 16 / 7 + 1 - rank, "MPI_Neighbor_alltoallw_c");
  MPI_Comm_free(&ring);
}

static void reductions(void) {
  FIND(Allreduce_c);
  FIND(Reduce_scatter_c);
  FIND(Bcast_c);
  Allreduce_c(sent, got, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) require(got[i] == 2 * (i / 7) + 1, "MPI_Allreduce_c");
  const MPI_Count numbers[2] = {7, 9};
  Reduce_scatter_c(sent, got, numbers, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  require_values(got, 7 + 2 * rank, 7 * rank, 1, "MPI_Reduce_scatter_c");
  memcpy(got, sent, count * sizeof *got);
  Bcast_c(got, count, MPI_INT, 1, MPI_COMM_WORLD);
  require_values(got, count, 0, 1, "MPI_Bcast_c");
}

static void windows(void) {
  FIND(Put_c);
  MPI_Win window;
  MPI_Win_create(got, count * sizeof *got, sizeof *got, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  Put_c(sent, 100, MPI_INT, 1 - rank, 50, 100, MPI_INT, window);
  MPI_Win_fence(0, window);
  require_values(got + 50, 100, 0, 1 - rank, "MPI_Put_c");
  MPI_Win_free(&window);
}

// More than an int counts: a message of so many elements of no bytes passes, a sum of them cannot.
static void too_many(int refused) {
  const MPI_Count many = 3000000000;
  FIND(Sendrecv_c);
  MPI_Datatype nothing;
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  MPI_Status status;
  Sendrecv_c(sent, many, nothing, 1 - rank, 7, got, many, nothing, 1 - rank, 7, MPI_COMM_WORLD,
             &status);
  MPI_Type_free(&nothing);
  if (!refused) return;
  FIND(Allreduce_c);
  FIND(Alltoallv_c);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int class_of_sum = 0;
  int class_of_blocks = 0;
  MPI_Error_class(Allreduce_c(sent, got, many, MPI_INT, MPI_SUM, MPI_COMM_WORLD), &class_of_sum);
  const MPI_Count numbers[2] = {0, 0};
  const MPI_Aint far[2] = {0, many};
  MPI_Error_class(
      Alltoallv_c(sent, numbers, far, MPI_INT, got, numbers, far, MPI_INT, MPI_COMM_WORLD),
      &class_of_blocks);
  require(class_of_sum == MPI_ERR_COUNT && class_of_blocks == MPI_ERR_COUNT, "not refused");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sent = malloc(count * sizeof *sent);
  got = malloc(count * sizeof *got);
  for (int i = 0; i < count; ++i) sent[i] = i / 7 + rank;
  messages();
  uneven_blocks();
  neighbours();
  reductions();
  windows();
  too_many(argc > 1 && strcmp(argv[1], "refused") == 0);
  if (rank == 0) printf("right\n");
  free(sent);
  free(got);
  return MPI_Finalize();
}
