/* collectives_in_time WAY [STEPS [BOUND [FORM]]]: collectives move fields as a simulation does,
   smooth in time and rough in space, and every rank compares what it gets with what it must be:
   with a BOUND no value may be further off, and what several ranks get must be the same on all of
   them. The ways are those of `ways` below. FORM: blocking; at-once, which return at once; or
   persistent, by requests that are made anew every 20 steps. Prints "messages N, wrong M" on rank
   0: messages are blocks that crossed from one rank to another. */
#include <math.h>
#include <mpi.h>
#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Allgather_init MPIX_Allgather_init
#define MPI_Allgatherv_init MPIX_Allgatherv_init
#define MPI_Alltoall_init MPIX_Alltoall_init
#define MPI_Alltoallv_init MPIX_Alltoallv_init
#define MPI_Bcast_init MPIX_Bcast_init
#define MPI_Gather_init MPIX_Gather_init
#define MPI_Gatherv_init MPIX_Gatherv_init
#define MPI_Neighbor_alltoall_init MPIX_Neighbor_alltoall_init
#define MPI_Scatter_init MPIX_Scatter_init
#define MPI_Scatterv_init MPIX_Scatterv_init
#endif
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { block = 8192, most_ranks = 8, most_values = block * most_ranks };
enum { remade_every = 20, most_kept = 16 };

typedef struct {
  int counts[most_ranks], places[most_ranks];
} Cut;

typedef struct {
  MPI_Comm comm;
  int rank, size;
  long messages, wrong, failed;
  double *sent, *received;
  Cut out, in;
  MPI_Request request;         /* of what returned at once */
  MPI_Request kept[most_kept]; /* persistent ones */
  int made_at[most_kept];
} World;

static int steps = 60;
static double bound;
static enum { blocking, at_once, persistent } form;

/* Whether the persistent request of that place is to be made in this step. */
static int is_due(World* w, int place, int step) {
  const int is_made = w->kept[place] != MPI_REQUEST_NULL;
  if (is_made && w->made_at[place] / remade_every == step / remade_every) return 0;
  if (is_made) MPI_Request_free(&w->kept[place]);
  w->made_at[place] = step;
  return 1;
}

static int ended(int code, MPI_Request* request) {
  return code != MPI_SUCCESS ? code : MPI_Wait(request, MPI_STATUS_IGNORE);
}

static int started_again(World* w, int place, int code) {
  if (code == MPI_SUCCESS) code = MPI_Start(&w->kept[place]);
  return ended(code, &w->kept[place]);
}

/* MPI_Bcast, MPI_Ibcast and a wait, or a start of MPI_Bcast_init's request and a wait. */
#define CALL(w, step, place, Name, name, ...)                                                   \
  (form == blocking  ? MPI_##Name(__VA_ARGS__, (w)->comm)                                       \
   : form == at_once ? ended(MPI_I##name(__VA_ARGS__, (w)->comm, &(w)->request), &(w)->request) \
                     : started_again(w, place,                                                  \
                                     is_due(w, place, step)                                     \
                                         ? MPI_##Name##_init(__VA_ARGS__, (w)->comm,            \
                                                             MPI_INFO_NULL, &(w)->kept[place])  \
                                         : MPI_SUCCESS))

static double phase(int field, int i) {
  return 6.0 * ((unsigned)(i * 2654435761u + field * 40503u) % 65536u) / 65536.0;
}

static double value_at(int sender, int receiver, int step, int i) {
  return 1.5 + sin(0.01 * step + phase(64 * sender + receiver, i));
}

static void fill(double* values, int count, int sender, int receiver, int step) {
  for (int i = 0; i < count; ++i) values[i] = value_at(sender, receiver, step, i);
}

static void check(World* w, const double* values, int count, int sender, int receiver, int step) {
  int good = 1;
  for (int i = 0; i < count; ++i) {
    const double expected = value_at(sender, receiver, step, i);
    good = good && (bound == 0 ? values[i] == expected : fabs(values[i] - expected) <= bound);
  }
  if (sender != w->rank) ++w->messages;
  if (!good) ++w->wrong;
}

/* That all ranks but `except` got the same. */
static void check_alike(World* w, const double* values, int count, int except) {
  uint64_t sum = 0, own[2], all[2];
  for (int i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    sum = 31 * sum + bits;
  }
  sum >>= 1;
  own[0] = w->rank == except ? 0 : sum;
  own[1] = w->rank == except ? 0 : INT64_MAX - sum;
  MPI_Allreduce(own, all, 2, MPI_UINT64_T, MPI_MAX, w->comm);
  if (w->size > 2 && all[0] != INT64_MAX - all[1]) ++w->wrong;
}

static void open_world(World* w, MPI_Comm comm) {
  w->comm = comm;
  MPI_Comm_rank(comm, &w->rank);
  MPI_Comm_size(comm, &w->size);
}

static void make_room(World* w) {
  w->messages = w->wrong = w->failed = 0;
  for (int i = 0; i < most_kept; ++i) w->kept[i] = MPI_REQUEST_NULL;
  w->sent = malloc(2 * sizeof(double) * most_values);
  w->received = malloc(2 * sizeof(double) * most_values);
  if (w->sent == NULL || w->received == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Of a call that failed there is nothing to check. */
static int is_good(World* w, int code) {
  if (code != MPI_SUCCESS) ++w->failed;
  return code == MPI_SUCCESS;
}

static void alltoall_field(World* w, int step, int field) {
  for (int to = 0; to < w->size; ++to)
    fill(w->sent + block * to, block, w->rank, to + 8 * field, step);
  const int code = CALL(w, step, field, Alltoall, alltoall, w->sent, block, MPI_DOUBLE, w->received,
                        block, MPI_DOUBLE);
  const int good = is_good(w, code);
  for (int from = 0; good && from < w->size; ++from)
    check(w, w->received + block * from, block, from, w->rank + 8 * field, step);
}

static void alltoall(World* w, int step) {
  alltoall_field(w, step, 0);
}

/* Goes on after a failure. */
static void recovers(World* w, int step) {
  if (step == 0) MPI_Comm_set_errhandler(w->comm, MPI_ERRORS_RETURN);
  alltoall(w, step);
}

static void turns(World* w, int step) {
  for (int field = 0; field < 3; ++field) alltoall_field(w, step, field);
}

/* The sizes change now and then. */
static int count_between(int from, int to, int step) {
  return block - 64 * ((from + 3 * to + step / 20) % 8);
}

static Cut cut_of(const World* w, int other_is_sender, int me, int step) {
  Cut cut;
  int place = 0;
  for (int other = 0; other < w->size; ++other) {
    cut.counts[other] =
        other_is_sender ? count_between(other, me, step) : count_between(me, other, step);
    cut.places[other] = place;
    place += cut.counts[other];
  }
  return cut;
}

static void fill_cut(World* w, const Cut* cut, int step) {
  for (int to = 0; to < w->size; ++to)
    fill(w->sent + cut->places[to], cut->counts[to], w->rank, to, step);
}

static void check_cut(World* w, const Cut* cut, int receiver, int step) {
  for (int from = 0; from < w->size; ++from)
    check(w, w->received + cut->places[from], cut->counts[from], from, receiver, step);
}

static void alltoallv(World* w, int step) {
  w->out = cut_of(w, 0, w->rank, step);
  w->in = cut_of(w, 1, w->rank, step);
  fill_cut(w, &w->out, step);
  CALL(w, step, 0, Alltoallv, alltoallv, w->sent, w->out.counts, w->out.places, MPI_DOUBLE,
       w->received, w->in.counts, w->in.places, MPI_DOUBLE);
  check_cut(w, &w->in, w->rank, step);
}

static void allgather(World* w, int step) {
  fill(w->sent, block, w->rank, 0, step);
  CALL(w, step, 3, Allgather, allgather, w->sent, block, MPI_DOUBLE, w->received, block,
       MPI_DOUBLE);
  for (int from = 0; from < w->size; ++from)
    check(w, w->received + block * from, block, from, 0, step);
  check_alike(w, w->received, block * w->size, -1);
}

static void in_place(World* w, int step) {
  fill(w->received + block * w->rank, block, w->rank, 0, step);
  CALL(w, step, 3, Allgather, allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, w->received, block,
       MPI_DOUBLE);
  for (int from = 0; from < w->size; ++from)
    check(w, w->received + block * from, block, from, 0, step);
  check_alike(w, w->received, block * w->size, -1);
}

static void allgatherv(World* w, int step) {
  w->in = cut_of(w, 1, 0, step);
  fill(w->sent, w->in.counts[w->rank], w->rank, 0, step);
  CALL(w, step, 3, Allgatherv, allgatherv, w->sent, w->in.counts[w->rank], MPI_DOUBLE, w->received,
       w->in.counts, w->in.places, MPI_DOUBLE);
  check_cut(w, &w->in, 0, step);
}

static void gather(World* w, int step) {
  const int root = w->size - 1;
  fill(w->sent, block, w->rank, root, step);
  CALL(w, step, 4, Gather, gather, w->sent, block, MPI_DOUBLE, w->received, block, MPI_DOUBLE,
       root);
  for (int from = 0; w->rank == root && from < w->size; ++from)
    check(w, w->received + block * from, block, from, root, step);
}

static void gatherv(World* w, int step) {
  w->in = cut_of(w, 1, 0, step);
  fill(w->sent, w->in.counts[w->rank], w->rank, 0, step);
  CALL(w, step, 4, Gatherv, gatherv, w->sent, w->in.counts[w->rank], MPI_DOUBLE, w->received,
       w->in.counts, w->in.places, MPI_DOUBLE, 0);
  if (w->rank == 0) check_cut(w, &w->in, 0, step);
}

static void scatter(World* w, int step) {
  for (int to = 0; w->rank == 0 && to < w->size; ++to)
    fill(w->sent + block * to, block, 0, to, step);
  CALL(w, step, 5, Scatter, scatter, w->sent, block, MPI_DOUBLE, w->received, block, MPI_DOUBLE, 0);
  check(w, w->received, block, 0, w->rank, step);
}

static void scatterv(World* w, int step) {
  w->out = cut_of(w, 0, 0, step);
  if (w->rank == 0) fill_cut(w, &w->out, step);
  const int own = w->out.counts[w->rank];
  CALL(w, step, 5, Scatterv, scatterv, w->sent, w->out.counts, w->out.places, MPI_DOUBLE,
       w->received, own, MPI_DOUBLE, 0);
  check(w, w->received, own, 0, w->rank, step);
}

static void bcast_from(World* w, int step, int root) {
  if (w->rank == root) fill(w->received, 2 * block, root, 9, step);
  CALL(w, step, 6 + root, Bcast, bcast, w->received, 2 * block, MPI_DOUBLE, root);
  check(w, w->received, 2 * block, root, 9, step);
  check_alike(w, w->received, 2 * block, root);
}

static void bcast(World* w, int step) {
  bcast_from(w, step, 0);
}

static void roots(World* w, int step) {
  bcast_from(w, step, step % w->size);
}

/* Every second value of a column. */
static void derived(World* w, int step) {
  static MPI_Datatype column = MPI_DATATYPE_NULL;
  if (step == 0) {
    MPI_Type_vector(block, 1, 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
  }
  for (int i = 0; w->rank == 0 && i < block; ++i) w->received[2 * i] = value_at(0, 5, step, i);
  CALL(w, step, 6, Bcast, bcast, w->received, 1, column, 0);
  for (int i = 0; i < block; ++i) w->sent[i] = w->received[2 * i];
  check(w, w->sent, block, 0, 5, step);
  if (step + 1 == steps) MPI_Type_free(&column);
}

/* Of the ranks of one parity. */
static void split(World* w, int step) {
  static MPI_Comm half;
  const World whole = *w;
  if (step == 0) MPI_Comm_split(whole.comm, whole.rank % 2, whole.rank, &half);
  open_world(w, half);
  alltoall(w, step);
  bcast(w, step);
  open_world(w, whole.comm);
  if (step + 1 == steps) MPI_Comm_free(&half);
}

/* Communicators come and go, with other members each time. */
static void freed(World* w, int step) {
  static MPI_Comm some = MPI_COMM_NULL;
  const MPI_Comm whole = w->comm;
  const int left_out = step / 20 % w->size;
  if (step % 20 == 0) MPI_Comm_split(whole, w->rank == left_out, w->rank, &some);
  const int is_in = w->rank != left_out;
  open_world(w, some);
  if (is_in) {
    alltoall(w, step);
    bcast(w, step);
    allgather(w, step);
  }
  open_world(w, whole);
  if (step % 20 == 19 || step + 1 == steps) MPI_Comm_free(&some);
}

/* Around a ring: one neighbour before and one behind. */
static void neighbours(World* w, int step) {
  static MPI_Comm ring;
  const World whole = *w;
  const int around = 1;
  if (step == 0) MPI_Cart_create(whole.comm, 1, &whole.size, &around, 0, &ring);
  w->comm = ring;
  int of[2];
  MPI_Cart_shift(ring, 0, 1, &of[0], &of[1]);
  for (int i = 0; i < 2; ++i) fill(w->sent + block * i, block, w->rank, of[i], step);
  CALL(w, step, 0, Neighbor_alltoall, neighbor_alltoall, w->sent, block, MPI_DOUBLE, w->received,
       block, MPI_DOUBLE);
  for (int i = 0; i < 2; ++i) check(w, w->received + block * i, block, of[i], w->rank, step);
  w->comm = whole.comm;
  if (step + 1 == steps) MPI_Comm_free(&ring);
}

/* A persistent one, one that returns at once and a blocking one of the same kind, and one on
   another communicator, are under way together, with messages between two ranks among them. */
static void mixed(World* w, int step) {
  enum { left = 100, right, everybody = 9, sends = 4 };
  static MPI_Comm copy;
  static MPI_Request requests[3], sent[sends];
  static double *out[3], *in[3], spread[2 * block], mine[sends][block], theirs[block];
  const int next = (w->rank + 1) % w->size, before = (w->rank + w->size - 1) % w->size;
  if (step == 0) {
    MPI_Comm_dup(w->comm, &copy);
    for (int k = 0; k < 3; ++k) out[k] = malloc(sizeof(double) * most_values);
    for (int k = 0; k < 3; ++k) in[k] = malloc(sizeof(double) * most_values);
    MPI_Alltoall_init(out[0], block, MPI_DOUBLE, in[0], block, MPI_DOUBLE, w->comm, MPI_INFO_NULL,
                      &requests[0]);
  }
  for (int k = 0; k < 3; ++k)
    for (int to = 0; to < w->size; ++to)
      fill(out[k] + block * to, block, w->rank, to + 8 * k, step);
  if (w->rank == 0) fill(spread, 2 * block, 0, everybody, step);
  fill(mine[0], block, w->rank, left, step);
  MPI_Start(&requests[0]);
  MPI_Ibcast(spread, 2 * block, MPI_DOUBLE, 0, copy, &requests[1]);
  MPI_Sendrecv(mine[0], block, MPI_DOUBLE, next, 0, theirs, block, MPI_DOUBLE, before, 0, w->comm,
               MPI_STATUS_IGNORE);
  check(w, theirs, block, before, left, step);
  MPI_Ialltoall(out[1], block, MPI_DOUBLE, in[1], block, MPI_DOUBLE, w->comm, &requests[2]);
  /* Nothing is expected where these are made ready: MPI is asked for answers, and moves on. */
  for (int k = 0; k < sends; ++k) {
    fill(mine[k], block, w->rank, right + k, step);
    MPI_Isend(mine[k], block, MPI_DOUBLE, next, 1 + k, w->comm, &sent[k]);
  }
  for (int k = 0; k < sends; ++k) {
    MPI_Recv(theirs, block, MPI_DOUBLE, before, 1 + k, w->comm, MPI_STATUS_IGNORE);
    check(w, theirs, block, before, right + k, step);
  }
  for (int k = 0; k < sends; ++k) MPI_Wait(&sent[k], MPI_STATUS_IGNORE);
  MPI_Alltoall(out[2], block, MPI_DOUBLE, in[2], block, MPI_DOUBLE, w->comm);
  for (int k = 0; k < 3; ++k) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
  for (int k = 0; k < 3; ++k)
    for (int from = 0; from < w->size; ++from)
      check(w, in[k] + block * from, block, from, w->rank + 8 * k, step);
  check(w, spread, 2 * block, 0, everybody, step);
  if (step + 1 < steps) return;
  MPI_Request_free(&requests[0]);
  MPI_Comm_free(&copy);
  for (int k = 0; k < 3; ++k) free(out[k]), free(in[k]);
}

static void free_requests(World* w) {
  for (int i = 0; i < most_kept; ++i)
    if (w->kept[i] != MPI_REQUEST_NULL) MPI_Request_free(&w->kept[i]);
}

static void* run_one_thread(void* argument) {
  World* w = argument;
  for (int step = 0; step < steps; ++step) {
    alltoall(w, step);
    bcast(w, step);
  }
  return NULL;
}

/* Two at once, each with a communicator of its own; all steps in the first. */
static void threads(World* w, int step) {
  if (step > 0) return;
  World both[2];
  pthread_t ids[2];
  for (int k = 0; k < 2; ++k) {
    MPI_Comm copy;
    MPI_Comm_dup(w->comm, &copy);
    make_room(&both[k]);
    open_world(&both[k], copy);
  }
  for (int k = 0; k < 2; ++k) pthread_create(&ids[k], NULL, run_one_thread, &both[k]);
  for (int k = 0; k < 2; ++k) {
    pthread_join(ids[k], NULL);
    w->messages += both[k].messages;
    w->wrong += both[k].wrong;
    free_requests(&both[k]);
    MPI_Comm_free(&both[k].comm);
    free(both[k].sent);
    free(both[k].received);
  }
}

/* What never resembles anything. */
static void noise(World* w, int step) {
  for (int i = 0; i < block * w->size; ++i)
    w->sent[i] = sin(12345.678 * (i + 1) * (step + 1) + w->rank);
  MPI_Alltoall(w->sent, block, MPI_DOUBLE, w->received, block, MPI_DOUBLE, w->comm);
  w->messages += w->size - 1;
}

static const struct {
  const char* name;
  void (*step)(World*, int);
} ways[] = {{"alltoall", alltoall},   {"turns", turns},          {"alltoallv", alltoallv},
            {"allgather", allgather}, {"in-place", in_place},    {"allgatherv", allgatherv},
            {"gather", gather},       {"gatherv", gatherv},      {"scatter", scatter},
            {"scatterv", scatterv},   {"bcast", bcast},          {"roots", roots},
            {"derived", derived},     {"split", split},          {"freed", freed},
            {"threads", threads},     {"noise", noise},          {"recovers", recovers},
            {"mixed", mixed},         {"neighbours", neighbours}};

int main(int argc, char** argv) {
  World world;
  int level;
  /* MPICH lets nothing that returns at once go on where there may be threads. */
  const int has_threads = argc > 1 && strcmp(argv[1], "threads") == 0;
  MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  if (argc > 2) steps = atoi(argv[2]);
  if (argc > 3) bound = atof(argv[3]);
  if (argc > 4 && strcmp(argv[4], "at-once") == 0) form = at_once;
  if (argc > 4 && strcmp(argv[4], "persistent") == 0) form = persistent;
  open_world(&world, MPI_COMM_WORLD);
  make_room(&world);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    if (argc < 2 || strcmp(ways[i].name, argv[1]) != 0) continue;
    for (int step = 0; step < steps; ++step) ways[i].step(&world, step);
  }
  free_requests(&world);
  long own[3] = {world.messages, world.wrong, world.failed}, all[3];
  MPI_Reduce(own, all, 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (world.rank == 0)
    printf("messages %ld, wrong %ld\nfailed calls %ld\n", all[0], all[1], all[2]);
  free(world.sent);
  free(world.received);
  MPI_Finalize();
  return 0;
}
