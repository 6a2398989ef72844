// Does one large collective, says what MPI answered and whether the data is right, then another
// one. Maxima, since sums without a bound are left to MPI.
//   meets_damage allreduce|reduce|bcast fatal|return
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { count = 1 << 18 };

static int rank, size;
static float mine[count], result[count];

// Runs of equal values: every codec makes less of them.
static float term(int of_rank, int i) {
  return (float)(round(64 * sin(1e-3 * i + of_rank)) / 64);
}

static int run(const char* collective) {
  for (int i = 0; i < count; ++i) {
    mine[i] = term(rank, i);
    result[i] = -1;
  }
  if (strcmp(collective, "allreduce") == 0) {
    return MPI_Allreduce(mine, result, count, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
  }
  if (strcmp(collective, "reduce") == 0) {
    return MPI_Reduce(mine, result, count, MPI_FLOAT, MPI_MAX, 0, MPI_COMM_WORLD);
  }
  memcpy(result, mine, sizeof result);
  return MPI_Bcast(result, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

static const char* judge(const char* collective) {
  if (strcmp(collective, "reduce") == 0 && rank != 0) {
    return "none due";
  }
  for (int i = 0; i < count; ++i) {
    float expected = term(0, i);
    if (strcmp(collective, "bcast") != 0) {
      for (int r = 1; r < size; ++r) expected = fmaxf(expected, term(r, i));
    }
    if (!(fabsf(result[i] - expected) <= 2e-3F)) {
      return "wrong";
    }
  }
  return "right";
}

static void report(const char* round, const char* collective, int code) {
  char text[MPI_MAX_ERROR_STRING] = "success";
  int length;
  if (code != MPI_SUCCESS) {
    MPI_Error_string(code, text, &length);
  }
  printf("%s, rank %d: data %s: %s\n", round, rank, judge(collective), text);
  fflush(stdout);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 3) {
    MPI_Abort(MPI_COMM_WORLD, 64);
  }
  if (strcmp(argv[2], "return") == 0) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  report("first", argv[1], run(argv[1]));
  report("second", argv[1], run(argv[1]));
  MPI_Finalize();
  return 0;
}
