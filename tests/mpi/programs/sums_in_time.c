/* sums_in_time WAY [STEPS [BOUND]]: reductions of fields as a simulation makes them, smooth in time
   and rough in space, at every step. No value may be further from the sum than the BOUND, and all
   ranks that get one must have the same. The ways are those of `ways` below. Rank 0 prints
   "messages N, wrong M", of results on all ranks, a digest of the bits of all of them, and how many
   calls failed. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { values = 48 * 1024 };

static int rank, size, steps = 60;
static double bound;
static long messages, wrong, failed;
static uint64_t digest;
static double own[values], result[values];
static float own_floats[values], result_floats[values];

static double value_at(int of, int field, int step, int i) {
  const unsigned place =
      (unsigned)(i * 2654435761u + (unsigned)(64 * of + field) * 40503u) % 65536u;
  return 1.5 + sin(0.01 * step + 6.0 * place / 65536.0);
}

static double expected_at(MPI_Op op, int field, int step, int i) {
  double all = value_at(0, field, step, i);
  for (int of = 1; of < size; ++of) {
    const double one = value_at(of, field, step, i);
    all = op == MPI_SUM ? all + one : fmin(all, one);
  }
  return all;
}

static void fill(int field, int step) {
  for (int i = 0; i < values; ++i) own[i] = value_at(rank, field, step, i);
}

static void note_bits(const void* bytes, size_t count) {
  const unsigned char* const at = bytes;
  for (size_t i = 0; i < count; ++i) digest = (digest ^ at[i]) * 0x100000001b3u;
}

static void check(MPI_Op op, const double* got, int first, int count, int field, int step) {
  int good = 1;
  for (int i = 0; i < count; ++i)
    good = good && fabs(got[i] - expected_at(op, field, step, first + i)) <= bound * (1 + 1e-12);
  ++messages;
  if (!good) ++wrong;
  note_bits(got, sizeof *got * (size_t)count);
}

/* That all ranks have the same. */
static void check_alike(const void* got, size_t count) {
  uint64_t sum = 0xcbf29ce484222325u, both[2], all[2];
  const unsigned char* const at = got;
  for (size_t i = 0; i < count; ++i) sum = (sum ^ at[i]) * 0x100000001b3u;
  both[0] = sum >> 1;
  both[1] = INT64_MAX - both[0];
  MPI_Allreduce(both, all, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  if (all[0] != INT64_MAX - all[1]) ++wrong;
}

static void allreduce_field(MPI_Op op, int count, int field, int step) {
  fill(field, step);
  MPI_Allreduce(own, result, count, MPI_DOUBLE, op, MPI_COMM_WORLD);
  check(op, result, 0, count, field, step);
  check_alike(result, sizeof *result * (size_t)count);
}

static void allreduce(int step) {
  allreduce_field(MPI_SUM, values, 0, step);
}

static void minimum(int step) {
  allreduce_field(MPI_MIN, values, 0, step);
}

static void turns(int step) {
  for (int field = 0; field < 3; ++field) allreduce_field(MPI_SUM, values, field, step);
}

/* The size changes now and then. */
static void sizes(int step) {
  allreduce_field(MPI_SUM, values - 4096 * (step / 25 % 2), 0, step);
}

/* Goes on after a failure, of which not all ranks may know. */
static void recovers(int step) {
  if (step == 0) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  fill(0, step);
  const int code = MPI_Allreduce(own, result, values, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (code == MPI_SUCCESS)
    check(MPI_SUM, result, 0, values, 0, step);
  else
    ++failed;
}

static void in_place(int step) {
  for (int i = 0; i < values; ++i) result[i] = value_at(rank, 0, step, i);
  MPI_Allreduce(MPI_IN_PLACE, result, values, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  check(MPI_SUM, result, 0, values, 0, step);
  check_alike(result, sizeof result);
}

static void floats(int step) {
  fill(0, step);
  for (int i = 0; i < values; ++i) own_floats[i] = (float)own[i];
  MPI_Allreduce(own_floats, result_floats, values, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  int good = 1;
  for (int i = 0; i < values; ++i)
    good = good && fabs(result_floats[i] - expected_at(MPI_SUM, 0, step, i)) <= bound + 1e-6 * size;
  ++messages;
  if (!good) ++wrong;
  note_bits(result_floats, sizeof result_floats);
  check_alike(result_floats, sizeof result_floats);
}

/* Infinities and what is no number, in places that change. */
static void specials(int step) {
  fill(0, step);
  for (int i = rank + step % 7; i < values; i += 997) own[i] = i % 2 == 0 ? INFINITY : NAN;
  for (int i = 5; i < values; i += 991) own[i] = 1e300;
  MPI_Allreduce(own, result, values, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  ++messages;
  note_bits(result, sizeof result);
  check_alike(result, sizeof result);
}

static void reduce_scatter(int step) {
  int counts[64], first = 0;
  for (int of = 0; of < size; ++of) counts[of] = values / size + (of % 2 == 0 ? 512 : -512);
  counts[size - 1] = values;
  for (int of = 0; of + 1 < size; ++of) {
    counts[size - 1] -= counts[of];
    first += of < rank ? counts[of] : 0;
  }
  fill(0, step);
  MPI_Reduce_scatter(own, result, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  check(MPI_SUM, result, first, counts[rank], 0, step);
}

static void reduce_scatter_block(int step) {
  const int count = values / size;
  fill(0, step);
  MPI_Reduce_scatter_block(own, result, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  check(MPI_SUM, result, count * rank, count, 0, step);
}

static void reduce(int step) {
  const int root = step % size;
  fill(0, step);
  MPI_Reduce(own, result, values, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
  if (rank == root) check(MPI_SUM, result, 0, values, 0, step);
}

/* What never resembles anything. */
static void noise(int step) {
  for (int i = 0; i < values; ++i) own[i] = sin(12345.678 * (i + 1) * (step + 1) + rank);
  MPI_Allreduce(own, result, values, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  ++messages;
  note_bits(result, sizeof result);
}

static const struct {
  const char* name;
  void (*step)(int);
} ways[] = {{"allreduce", allreduce},
            {"in-place", in_place},
            {"floats", floats},
            {"minimum", minimum},
            {"turns", turns},
            {"sizes", sizes},
            {"specials", specials},
            {"reduce-scatter", reduce_scatter},
            {"reduce-scatter-block", reduce_scatter_block},
            {"reduce", reduce},
            {"recovers", recovers},
            {"noise", noise}};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 2) steps = atoi(argv[2]);
  if (argc > 3) bound = atof(argv[3]);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    if (argc < 2 || strcmp(ways[i].name, argv[1]) != 0) continue;
    for (int step = 0; step < steps; ++step) ways[i].step(step);
  }
  long mine[3] = {messages, wrong, failed}, all[3];
  uint64_t of_all = 0;
  digest *= 2 * (uint64_t)rank + 1;
  MPI_Reduce(mine, all, 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&digest, &of_all, 1, MPI_UINT64_T, MPI_BXOR, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("messages %ld, wrong %ld\ndigest %016llx\nfailed calls %ld\n", all[0], all[1],
           (unsigned long long)of_all, all[2]);
  MPI_Finalize();
  return 0;
}
