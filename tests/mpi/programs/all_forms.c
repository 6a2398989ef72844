/* Sends by each call that there is, in each of its forms, again and again.
 * all_forms SECONDS; prints how often. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define INIT(Name) MPIX_##Name##_init
#else
#define INIT(Name) MPI_##Name##_init
#endif

enum { RANKS = 4, VALUES = 64, ALL = RANKS * VALUES };

static double out[ALL], in[ALL], place[ALL];
static int counts[RANKS], places[RANKS], byte_places[RANKS];
static MPI_Aint far_places[RANKS];
static MPI_Datatype types[RANKS];
static int rank, right, left;
static MPI_Comm ring;
static MPI_Status statuses[2];

static void fill(int step) {
  for (int i = 0; i < ALL; ++i) out[i] = place[i] = 300 + 1e-3 * i + 0.5 * step;
}

/* Each form of a collective: the arguments are those of the blocking one. */
#define WAITED MPI_Wait(&request, MPI_STATUS_IGNORE)
#define THREE_FORMS(Name, Iname, ...)                 \
  do {                                                \
    MPI_Request request;                              \
    MPI_##Name(__VA_ARGS__);                          \
    MPI_I##Iname(__VA_ARGS__, &request);              \
    WAITED;                                           \
    INIT(Name)(__VA_ARGS__, MPI_INFO_NULL, &request); \
    MPI_Start(&request);                              \
    WAITED;                                           \
    MPI_Request_free(&request);                       \
  } while (0)

#define TYPE MPI_DOUBLE
#define WORLD MPI_COMM_WORLD

static void reduce(void) {
  THREE_FORMS(Allreduce, allreduce, out, in, VALUES, TYPE, MPI_MAX, WORLD);
  THREE_FORMS(Reduce, reduce, out, in, VALUES, TYPE, MPI_MAX, 0, WORLD);
  THREE_FORMS(Scan, scan, out, in, VALUES, TYPE, MPI_MAX, WORLD);
  THREE_FORMS(Exscan, exscan, out, in, VALUES, TYPE, MPI_MAX, WORLD);
  THREE_FORMS(Reduce_scatter, reduce_scatter, out, in, counts, TYPE, MPI_MAX, WORLD);
  THREE_FORMS(Reduce_scatter_block, reduce_scatter_block, out, in, VALUES, TYPE, MPI_MAX, WORLD);
}

static void move(void) {
  THREE_FORMS(Bcast, bcast, rank == 1 ? out : in, VALUES, TYPE, 1, WORLD);
  THREE_FORMS(Gather, gather, out, VALUES, TYPE, in, VALUES, TYPE, 0, WORLD);
  THREE_FORMS(Gatherv, gatherv, out, VALUES, TYPE, in, counts, places, TYPE, 0, WORLD);
  THREE_FORMS(Scatter, scatter, out, VALUES, TYPE, in, VALUES, TYPE, 2, WORLD);
  THREE_FORMS(Scatterv, scatterv, out, counts, places, TYPE, in, VALUES, TYPE, 2, WORLD);
  THREE_FORMS(Alltoall, alltoall, out, VALUES, TYPE, in, VALUES, TYPE, WORLD);
  THREE_FORMS(Alltoallv, alltoallv, out, counts, places, TYPE, in, counts, places, TYPE, WORLD);
  THREE_FORMS(Alltoallw, alltoallw, out, counts, byte_places, types, in, counts, byte_places, types,
              WORLD);
  /* One of each three in place. */
  MPI_Request request;
  MPI_Allgather(MPI_IN_PLACE, 0, TYPE, place, VALUES, TYPE, WORLD);
  MPI_Allgatherv(MPI_IN_PLACE, 0, TYPE, place, counts, places, TYPE, WORLD);
  MPI_Iallgather(out, VALUES, TYPE, in, VALUES, TYPE, WORLD, &request);
  WAITED;
  MPI_Iallgatherv(out, VALUES, TYPE, in, counts, places, TYPE, WORLD, &request);
  WAITED;
  INIT(Allgather)(out, VALUES, TYPE, in, VALUES, TYPE, WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  WAITED;
  MPI_Request_free(&request);
  INIT(Allgatherv)(out, VALUES, TYPE, in, counts, places, TYPE, WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  WAITED;
  MPI_Request_free(&request);
}

static void move_to_neighbours(void) {
  THREE_FORMS(Neighbor_allgather, neighbor_allgather, out, VALUES, TYPE, in, VALUES, TYPE, ring);
  THREE_FORMS(Neighbor_allgatherv, neighbor_allgatherv, out, VALUES, TYPE, in, counts, places, TYPE,
              ring);
  THREE_FORMS(Neighbor_alltoall, neighbor_alltoall, out, VALUES, TYPE, in, VALUES, TYPE, ring);
  THREE_FORMS(Neighbor_alltoallv, neighbor_alltoallv, out, counts, places, TYPE, in, counts, places,
              TYPE, ring);
  THREE_FORMS(Neighbor_alltoallw, neighbor_alltoallw, out, counts, far_places, types, in, counts,
              far_places, types, ring);
}

#define SENT out, VALUES, TYPE, right, 1, WORLD
#define RECEIVED in, VALUES, TYPE, left, 1, WORLD

#define SEND(Name)                 \
  do {                             \
    MPI_Request request;           \
    MPI_Irecv(RECEIVED, &request); \
    MPI_Barrier(WORLD);            \
    MPI_##Name(SENT);              \
    WAITED;                        \
  } while (0)
#define SEND_AT_ONCE(Name)          \
  do {                              \
    MPI_Request both[2];            \
    MPI_Irecv(RECEIVED, both);      \
    MPI_Barrier(WORLD);             \
    MPI_##Name(SENT, both + 1);     \
    MPI_Waitall(2, both, statuses); \
  } while (0)
/* The datatype is freed as soon as it may be, and the receive may get the handle of a send. */
#define SEND_AGAIN(Name)                                       \
  do {                                                         \
    MPI_Request both[2];                                       \
    MPI_Datatype pairs;                                        \
    MPI_Type_contiguous(2, TYPE, &pairs);                      \
    MPI_Type_commit(&pairs);                                   \
    MPI_##Name(out, VALUES / 2, pairs, right, 1, WORLD, both); \
    MPI_Type_free(&pairs);                                     \
    MPI_Recv_init(RECEIVED, both + 1);                         \
    MPI_Start(both + 1);                                       \
    MPI_Barrier(WORLD);                                        \
    MPI_Start(both);                                           \
    MPI_Waitall(2, both, statuses);                            \
    MPI_Request_free(both);                                    \
    MPI_Request_free(both + 1);                                \
  } while (0)

static void send(void) {
  SEND(Send);
  SEND(Ssend);
  SEND(Bsend);
  SEND(Rsend);
  SEND_AT_ONCE(Isend);
  SEND_AT_ONCE(Issend);
  SEND_AT_ONCE(Ibsend);
  SEND_AT_ONCE(Irsend);
  SEND_AGAIN(Send_init);
  SEND_AGAIN(Ssend_init);
  SEND_AGAIN(Bsend_init);
  SEND_AGAIN(Rsend_init);
  MPI_Sendrecv(out, VALUES, TYPE, right, 1, in, VALUES, TYPE, left, 1, WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(place, VALUES, TYPE, right, 1, left, 1, WORLD, MPI_STATUS_IGNORE);
}

static void send_as_mpi_4_can(void) {
#if MPI_VERSION >= 4
  MPI_Request request, both[2];
  MPI_Isendrecv(out, VALUES, TYPE, right, 1, in, VALUES, TYPE, left, 1, WORLD, &request);
  WAITED;
  MPI_Isendrecv_replace(place, VALUES, TYPE, right, 1, left, 1, WORLD, &request);
  WAITED;
  MPI_Psend_init(out, 4, VALUES / 4, TYPE, right, 2, WORLD, MPI_INFO_NULL, both);
  MPI_Precv_init(in, 4, VALUES / 4, TYPE, left, 2, WORLD, MPI_INFO_NULL, both + 1);
  MPI_Startall(2, both);
  MPI_Pready_range(0, 3, both[0]);
  MPI_Waitall(2, both, statuses);
  MPI_Request_free(both);
  MPI_Request_free(both + 1);
#endif
}

static void prepare(void) {
  static double buffered[ALL + 4 * MPI_BSEND_OVERHEAD];
  const int size = RANKS, around = 1;
  MPI_Buffer_attach(buffered, sizeof buffered);
  MPI_Comm_rank(WORLD, &rank);
  MPI_Cart_create(WORLD, 1, &size, &around, 0, &ring);
  right = (rank + 1) % RANKS;
  left = (rank + RANKS - 1) % RANKS;
  for (int i = 0; i < RANKS; ++i) {
    counts[i] = VALUES;
    places[i] = i * VALUES;
    byte_places[i] = i * VALUES * (int)sizeof(double);
    far_places[i] = byte_places[i];
    types[i] = TYPE;
  }
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  prepare();
  const double end = MPI_Wtime() + (count > 1 ? atof(words[1]) : 0);
  int step = 0;
  for (int again = 1; again; ++step) {
    fill(step);
    reduce();
    move();
    move_to_neighbours();
    send();
    send_as_mpi_4_can();
    again = MPI_Wtime() < end;
    MPI_Bcast(&again, 1, MPI_INT, 0, WORLD);
  }
  if (rank == 0) printf("%d\n", step);
  MPI_Comm_free(&ring);
  return MPI_Finalize();
}
