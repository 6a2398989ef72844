// Does one large operation, says what MPI answered and whether the data is right, then another one
// with other data. Maxima, since sums without a bound are left to MPI. Before that it does as many
// as CALLS, of which it says nothing.
//   meets_damage OPERATION fatal|return [CALLS]
#include <math.h>
#include <mpi.h>
#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Neighbor_alltoall_init MPIX_Neighbor_alltoall_init
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { count = 1 << 18, most_ranks = 8 };

static int rank, size, round_;
static float mine[count], result[most_ranks * count];

// Runs of equal values: every codec makes less of them.
static float smooth(int of_rank, int i) {
  return (float)(round(64 * sin(1e-3 * i + of_rank + 10 * round_)) / 64);
}

// Nothing can be made of these.
static float noise(int of_rank, int i) {
  unsigned bits = (unsigned)(i + 1) * 2654435761U + (unsigned)(of_rank + 10 * round_) * 40503U;
  bits ^= bits >> 15;
  bits *= 2246822519U;
  bits = (bits ^ bits >> 13) % 0x7f000000U;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// The end looks like that of a frame (src/wire/trailer.h).
static float marked(int of_rank, int i) {
  static const unsigned mark[] = {0xbf9b5e73U, 0x19a04bb1U};
  float value = noise(of_rank, i);
  if (i >= count - 2) {
    memcpy(&value, &mark[i - (count - 2)], sizeof value);
  }
  return value;
}

static int is_first_half(void) {
  return rank < size / 2;
}

// The one that this rank sends to or gets from.
static int partner(void) {
  return (rank + size / 2) % size;
}

static int allreduce(void) {
  return MPI_Allreduce(mine, result, count, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
}
static int reduce(void) {
  return MPI_Reduce(mine, result, count, MPI_FLOAT, MPI_MAX, 0, MPI_COMM_WORLD);
}
static int bcast(void) {
  memcpy(result, mine, sizeof mine);
  return MPI_Bcast(result, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
}
static int scan(void) {
  return MPI_Scan(mine, result, count, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
}
static int allgather(void) {
  return MPI_Allgather(mine, count, MPI_FLOAT, result, count, MPI_FLOAT, MPI_COMM_WORLD);
}
static int gather(void) {
  return MPI_Gather(mine, count, MPI_FLOAT, result, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
}
static int alltoall(void) {
  const int part = count / size;
  return MPI_Alltoall(mine, part, MPI_FLOAT, result, part, MPI_FLOAT, MPI_COMM_WORLD);
}
static int alltoallw(void) {
  const int part = count / size;
  int counts[most_ranks], places[most_ranks];
  MPI_Datatype types[most_ranks];
  for (int i = 0; i < size; ++i) {
    counts[i] = part;
    places[i] = i * part * (int)sizeof(float);
    types[i] = MPI_FLOAT;
  }
  return MPI_Alltoallw(mine, counts, places, types, result, counts, places, types, MPI_COMM_WORLD);
}
static MPI_Comm ring(void) {
  static MPI_Comm made = MPI_COMM_NULL;
  const int around = 1;
  if (made == MPI_COMM_NULL) MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &around, 0, &made);
  return made;
}
// Around a ring: the second half of the values to the next rank, the first to the one before.
static int neighbours(void) {
  const int part = count / 2;
  return MPI_Neighbor_alltoall(mine, part, MPI_FLOAT, result, part, MPI_FLOAT, ring());
}
// The halves, as two groups.
static MPI_Comm between(void) {
  static MPI_Comm made = MPI_COMM_NULL;
  if (made != MPI_COMM_NULL) return made;
  MPI_Comm half;
  MPI_Errhandler handler;
  MPI_Comm_split(MPI_COMM_WORLD, is_first_half(), rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_first_half() ? size / 2 : 0, 9, &made);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  MPI_Comm_set_errhandler(made, handler);
  return made;
}
static int bcast_between(void) {
  const int root = !is_first_half() ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  return MPI_Bcast(is_first_half() ? mine : result, count, MPI_FLOAT, root, between());
}
static void halves(int counts[], int places[]) {
  for (int i = 0; i < size / 2; ++i) {
    counts[i] = count / (size / 2);
    places[i] = i * counts[i];
  }
}
static int allgatherv_between(void) {
  int counts[most_ranks], places[most_ranks];
  halves(counts, places);
  return MPI_Allgatherv(mine, counts[0], MPI_FLOAT, result, counts, places, MPI_FLOAT, between());
}
static int alltoallv_between(void) {
  int counts[most_ranks], places[most_ranks];
  halves(counts, places);
  return MPI_Alltoallv(mine, counts, places, MPI_FLOAT, result, counts, places, MPI_FLOAT,
                       between());
}
// The error is that of the call that completes.
static int completed(int code, MPI_Request* pending) {
  return code == MPI_SUCCESS ? MPI_Wait(pending, MPI_STATUS_IGNORE) : code;
}
static int iallreduce(void) {
  MPI_Request pending = MPI_REQUEST_NULL;
  const int code =
      MPI_Iallreduce(mine, result, count, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD, &pending);
  return completed(code, &pending);
}
static int ineighbours(void) {
  const int part = count / 2;
  MPI_Request pending = MPI_REQUEST_NULL;
  const int code =
      MPI_Ineighbor_alltoall(mine, part, MPI_FLOAT, result, part, MPI_FLOAT, ring(), &pending);
  return completed(code, &pending);
}
// Three of them at once, of which the last gives the result, unless the values of the others are
// not the same.
static int ineighbours_at_once(void) {
  static float others[2][count];
  const int part = count / 2;
  MPI_Request pending[3];
  int codes[3];
  for (int i = 0; i < 3; ++i) {
    float* to = i < 2 ? others[i] : result;
    memset(to, 0xff, sizeof others[0]);
    codes[i] =
        MPI_Ineighbor_alltoall(mine, part, MPI_FLOAT, to, part, MPI_FLOAT, ring(), &pending[i]);
  }
  for (int i = 0; i < 3; ++i) codes[i] = completed(codes[i], &pending[i]);
  for (int i = 0; i < 3; ++i) {
    if (codes[i] != MPI_SUCCESS) return codes[i];
  }
  if (memcmp(others[0], result, sizeof others[0]) != 0) result[0] = NAN;
  if (memcmp(others[1], result, sizeof others[0]) != 0) result[0] = NAN;
  return MPI_SUCCESS;
}
// Made once, started once more in the second round.
static int started(MPI_Request* persistent) {
  const int code = MPI_Start(persistent);
  return completed(code, persistent);
}
static int allreduce_init(void) {
  static MPI_Request made = MPI_REQUEST_NULL;
  if (made == MPI_REQUEST_NULL) {
    MPI_Allreduce_init(mine, result, count, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &made);
  }
  return started(&made);
}
static int neighbours_init(void) {
  static MPI_Request made = MPI_REQUEST_NULL;
  const int part = count / 2;
  if (made == MPI_REQUEST_NULL) {
    MPI_Neighbor_alltoall_init(mine, part, MPI_FLOAT, result, part, MPI_FLOAT, ring(),
                               MPI_INFO_NULL, &made);
  }
  return started(&made);
}
// Ranks of the first half send, the others receive.
static int message(void) {
  if (is_first_half()) {
    return MPI_Send(mine, count, MPI_FLOAT, partner(), 7, MPI_COMM_WORLD);
  }
  return MPI_Recv(result, count, MPI_FLOAT, partner(), 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static int request(void) {
  MPI_Request pending = MPI_REQUEST_NULL;
  const int code =
      is_first_half()
          ? MPI_Isend(mine, count, MPI_FLOAT, partner(), 7, MPI_COMM_WORLD, &pending)
          : MPI_Irecv(result, count, MPI_FLOAT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &pending);
  return code == MPI_SUCCESS ? MPI_Wait(&pending, MPI_STATUS_IGNORE) : code;
}

// What stands at place i of the result.
static float largest(int i, int ranks) {
  float all = smooth(0, i);
  for (int r = 1; r < ranks; ++r) all = fmaxf(all, smooth(r, i));
  return all;
}
static float of_all(int i) {
  return largest(i, size);
}
static float of_those_before(int i) {
  return largest(i, rank + 1);
}
static float of_root(int i) {
  return smooth(0, i);
}
static float gathered(int i) {
  return smooth(i / count, i % count);
}
static float dealt(int i) {
  const int part = count / size;
  return smooth(i / part, rank * part + i % part);
}
static float of_both_sides(int i) {
  const int part = count / 2;
  return i < part ? smooth((rank + size - 1) % size, part + i)
                  : smooth((rank + 1) % size, i - part);
}
// The rank of the other half that value i comes from.
static int of_other_half(int i) {
  return i / (count / (size / 2)) + (is_first_half() ? size / 2 : 0);
}
static float gathered_between(int i) {
  return smooth(of_other_half(i), i % (count / (size / 2)));
}
static float dealt_between(int i) {
  const int part = count / (size / 2);
  return smooth(of_other_half(i), rank % (size / 2) * part + i % part);
}
static float of_partner(int i) {
  return smooth(partner(), i);
}
static float marked_of_partner(int i) {
  return marked(partner(), i);
}

typedef struct {
  const char* name;
  int (*run)(void);
  float (*expected)(int i);
  enum { everywhere, at_root, in_second_half } where;
  int all_counts;  // the result is as large as what all ranks have together
  int is_marked;
} operation;

static const operation operations[] = {
    {"allreduce", allreduce, of_all, everywhere, 0, 0},
    {"reduce", reduce, of_all, at_root, 0, 0},
    {"bcast", bcast, of_root, everywhere, 0, 0},
    {"scan", scan, of_those_before, everywhere, 0, 0},
    {"allgather", allgather, gathered, everywhere, 1, 0},
    {"gather", gather, gathered, at_root, 1, 0},
    {"alltoall", alltoall, dealt, everywhere, 0, 0},
    {"alltoallw", alltoallw, dealt, everywhere, 0, 0},
    {"neighbours", neighbours, of_both_sides, everywhere, 0, 0},
    {"bcast_between", bcast_between, of_root, in_second_half, 0, 0},
    {"allgatherv_between", allgatherv_between, gathered_between, everywhere, 0, 0},
    {"alltoallv_between", alltoallv_between, dealt_between, everywhere, 0, 0},
    {"iallreduce", iallreduce, of_all, everywhere, 0, 0},
    {"ineighbours", ineighbours, of_both_sides, everywhere, 0, 0},
    {"ineighbours_at_once", ineighbours_at_once, of_both_sides, everywhere, 0, 0},
    {"allreduce_init", allreduce_init, of_all, everywhere, 0, 0},
    {"neighbours_init", neighbours_init, of_both_sides, everywhere, 0, 0},
    {"message", message, of_partner, in_second_half, 0, 0},
    {"request", request, of_partner, in_second_half, 0, 0},
    {"marked", message, marked_of_partner, in_second_half, 0, 1},
};

static const operation* find(const char* name) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
    if (strcmp(operations[i].name, name) == 0) {
      return &operations[i];
    }
  }
  fprintf(stderr, "meets_damage: no operation '%s'\n", name);
  exit(64);
}

static int is_due(const operation* done) {
  return done->where == everywhere || (done->where == at_root && rank == 0) ||
         (done->where == in_second_half && !is_first_half());
}

static const char* judge(const operation* done) {
  if (!is_due(done)) {
    return "none due";
  }
  const int values = done->all_counts ? size * count : count;
  for (int i = 0; i < values; ++i) {
    if (!(fabsf(result[i] - done->expected(i)) <= 2e-3F)) {
      return "wrong";
    }
  }
  return "right";
}

static void fill(const operation* wanted) {
  for (int i = 0; i < count; ++i) mine[i] = wanted->is_marked ? marked(rank, i) : smooth(rank, i);
  for (int i = 0; i < size * count; ++i) result[i] = -1;
}

static void do_once(const operation* wanted, const char* name) {
  fill(wanted);
  const int code = wanted->run();
  char text[MPI_MAX_ERROR_STRING] = "success";
  int length;
  if (code != MPI_SUCCESS) {
    MPI_Error_string(code, text, &length);
  }
  printf("%s, rank %d: data %s: %s\n", name, rank, judge(wanted), text);
  fflush(stdout);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 3 || argc > 4 || size > most_ranks) {
    MPI_Abort(MPI_COMM_WORLD, 64);
  }
  if (strcmp(argv[2], "return") == 0) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  const operation* wanted = find(argv[1]);
  for (int calls = argc == 4 ? atoi(argv[3]) : 0; calls > 0; --calls) {
    fill(wanted);
    wanted->run();
  }
  do_once(wanted, "first");
  round_ = 1;
  do_once(wanted, "second");
  MPI_Finalize();
  return 0;
}
