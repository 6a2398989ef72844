// Products of real and complex values, which an error bound must leave exact, and sums of complex
// ones, which keep it for both parts. The products are exact in any order.
//   products BOUND
// Rank 0 prints "results N, wrong 0".
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { count = 8000, most_ranks = 8 };
enum Call { ALLREDUCE, REDUCE, SCATTER_BLOCK, SCAN, EXSCAN, CALLS };

static int rank, size, results = 0, wrong = 0;
static double bound;

// Powers of two with a sign, or small whole numbers with both parts.
static double complex factor(int of, int i, int is_complex) {
  const int which = (of * 7 + i) % 5;
  if (!is_complex) return ldexp(which % 2 == 0 ? 1 : -1, which - 2);
  static const double real[] = {1, 0, -1, 1, 2};
  static const double imaginary[] = {0, 1, 0, 1, -1};
  return real[which] + imaginary[which] * I;
}

static double complex wave(int of, int i) {
  return sin(i * 1e-3 + of) + cos(i * 2e-3 - of) * I;
}

typedef double complex (*Term)(int of, int i, int is_complex);

static double complex summand(int of, int i, int is_complex) {
  return is_complex ? wave(of, i) : creal(wave(of, i));
}

static double complex expected(Term term, MPI_Op op, int ranks, int i, int is_complex) {
  double complex result = op == MPI_SUM ? 0 : 1;
  for (int of = 0; of < ranks; ++of) {
    if (op == MPI_SUM) result += term(of, i, is_complex);
    if (op == MPI_PROD) result *= term(of, i, is_complex);
  }
  return result;
}

struct Type {
  MPI_Datatype handle;
  int is_complex, is_float;
};

static void put(const struct Type* type, void* values, int i, double complex value) {
  const int parts = 1 + type->is_complex;
  const double both[] = {creal(value), cimag(value)};
  for (int part = 0; part < parts; ++part) {
    if (type->is_float) ((float*)values)[i * parts + part] = (float)both[part];
    if (!type->is_float) ((double*)values)[i * parts + part] = both[part];
  }
}

static double part_of(const struct Type* type, const void* values, int i) {
  return type->is_float ? ((const float*)values)[i] : ((const double*)values)[i];
}

// Beside the bound, what the arithmetic itself rounds.
static void check(const struct Type* type, const void* values, Term term, MPI_Op op, int n,
                  int first, int ranks) {
  const double allowed = op == MPI_PROD ? 0 : bound + (type->is_float ? 1e-5 : 1e-13);
  const int parts = 1 + type->is_complex;
  int right = 1;
  for (int i = 0; i < n; ++i) {
    const double complex result = expected(term, op, ranks, first + i, type->is_complex);
    const double both[] = {creal(result), cimag(result)};
    for (int part = 0; part < parts; ++part) {
      right = right && fabs(part_of(type, values, i * parts + part) - both[part]) <= allowed;
    }
  }
  ++results;
  wrong += !right;
}

static void perform(const struct Type* type, MPI_Op op, enum Call call, const void* own,
                    void* result) {
  const Term term = op == MPI_PROD ? factor : summand;
  const int block = count / most_ranks;
  switch (call) {
    case ALLREDUCE:
      MPI_Allreduce(own, result, count, type->handle, op, MPI_COMM_WORLD);
      return check(type, result, term, op, count, 0, size);
    case REDUCE:
      MPI_Reduce(own, result, count, type->handle, op, 0, MPI_COMM_WORLD);
      return check(type, result, term, op, rank == 0 ? count : 0, 0, size);
    case SCATTER_BLOCK:
      MPI_Reduce_scatter_block(own, result, block, type->handle, op, MPI_COMM_WORLD);
      return check(type, result, term, op, block, rank * block, size);
    case SCAN:
      MPI_Scan(own, result, count, type->handle, op, MPI_COMM_WORLD);
      return check(type, result, term, op, count, 0, rank + 1);
    default:
      MPI_Exscan(own, result, count, type->handle, op, MPI_COMM_WORLD);
      return check(type, result, term, op, rank > 0 ? count : 0, 0, rank);
  }
}

static void perform_all(const struct Type* type, MPI_Op op) {
  void* own = malloc(count * sizeof(double complex));
  void* result = calloc(count, sizeof(double complex));
  for (int i = 0; i < count; ++i) {
    put(type, own, i, (op == MPI_PROD ? factor : summand)(rank, i, type->is_complex));
  }
  for (int call = 0; call < CALLS; ++call) perform(type, op, call, own, result);
  free(own);
  free(result);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 2 || size > most_ranks) MPI_Abort(MPI_COMM_WORLD, 2);
  bound = atof(argv[1]);
  const struct Type types[] = {{MPI_DOUBLE, 0, 0},
                               {MPI_FLOAT, 0, 1},
                               {MPI_C_DOUBLE_COMPLEX, 1, 0},
                               {MPI_C_FLOAT_COMPLEX, 1, 1}};
  for (int i = 0; i < 4; ++i) {
    perform_all(&types[i], MPI_PROD);
    perform_all(&types[i], MPI_SUM);
  }
  int own[] = {results, wrong}, all[2];
  MPI_Reduce(own, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("results %d, wrong %d\n", all[0], all[1]);
  MPI_Finalize();
  return wrong != 0;
}
