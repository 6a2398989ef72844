/* Three-dimensional Fourier transforms there and back whose transposes hide behind the transforms:
 * fft_overlapped WIDTH STEPS FILE. A rank has some planes, in groups: while one group travels by
 * MPI_Ialltoall, the next is transformed. Between the transforms a wave spreads, as in fft.c. Each
 * rank writes its part of the field to FILE.RANK. WIDTH is a multiple of the number of ranks. */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_groups = 4 };

typedef fftw_complex Value;

static int ranks, rank, groups;
static size_t n, planes, rows, thick; /* rows: of a plane on each rank; thick: planes of a group */
static Value *field, *lines, *sent, *received;

static size_t group_size(void) {
  return thick * n * n;
}

/* To rank `to`: its rows of each plane of the group. */
static void pack_rows(const Value* group, Value* out) {
  for (size_t to = 0; to < (size_t)ranks; ++to) {
    for (size_t p = 0; p < thick; ++p) {
      const Value* from = group + (p * n + to * rows) * n;
      for (size_t i = 0; i < rows * n; ++i) *out++ = from[i];
    }
  }
}

static void unpack_rows(const Value* in, Value* group) {
  for (size_t from = 0; from < (size_t)ranks; ++from) {
    for (size_t p = 0; p < thick; ++p) {
      Value* to = group + (p * n + from * rows) * n;
      for (size_t i = 0; i < rows * n; ++i) to[i] = *in++;
    }
  }
}

/* The place in `lines` of plane p of the group of a rank: lines go across the planes. */
static Value* place_in_lines(size_t of_rank, int group, size_t p) {
  return lines + of_rank * planes + (size_t)group * thick + p;
}

static void lines_of_received(const Value* in, int group) {
  for (size_t from = 0; from < (size_t)ranks; ++from) {
    for (size_t p = 0; p < thick; ++p) {
      Value* to = place_in_lines(from, group, p);
      for (size_t i = 0; i < rows * n; ++i) to[i * n] = *in++;
    }
  }
}

static void pack_lines(int group, Value* out) {
  for (size_t to = 0; to < (size_t)ranks; ++to) {
    for (size_t p = 0; p < thick; ++p) {
      const Value* from = place_in_lines(to, group, p);
      for (size_t i = 0; i < rows * n; ++i) *out++ = from[i * n];
    }
  }
}

static void start_group(int group, MPI_Request* request) {
  const size_t place = (size_t)group * group_size();
  const int block = (int)(2 * thick * rows * n);
  MPI_Ialltoall(sent + place, block, MPI_DOUBLE, received + place, block, MPI_DOUBLE,
                MPI_COMM_WORLD, request);
}

static void transform_there(fftw_plan plane, fftw_plan line) {
  MPI_Request requests[most_groups];
  for (int g = 0; g < groups; ++g) {
    Value* group = field + (size_t)g * group_size();
    for (size_t p = 0; p < thick; ++p) {
      fftw_execute_dft(plane, group + p * n * n, group + p * n * n);
    }
    pack_rows(group, sent + (size_t)g * group_size());
    start_group(g, &requests[g]);
  }
  for (int g = 0; g < groups; ++g) {
    MPI_Wait(&requests[g], MPI_STATUS_IGNORE);
    lines_of_received(received + (size_t)g * group_size(), g);
  }
  for (size_t i = 0; i < rows * n; ++i) fftw_execute_dft(line, lines + i * n, lines + i * n);
}

static void transform_back(fftw_plan plane, fftw_plan line) {
  MPI_Request requests[most_groups];
  for (size_t i = 0; i < rows * n; ++i) fftw_execute_dft(line, lines + i * n, lines + i * n);
  for (int g = 0; g < groups; ++g) {
    pack_lines(g, sent + (size_t)g * group_size());
    start_group(g, &requests[g]);
  }
  for (int g = 0; g < groups; ++g) {
    Value* group = field + (size_t)g * group_size();
    MPI_Wait(&requests[g], MPI_STATUS_IGNORE);
    unpack_rows(received + (size_t)g * group_size(), group);
    for (size_t p = 0; p < thick; ++p) {
      fftw_execute_dft(plane, group + p * n * n, group + p * n * n);
    }
  }
}

/* Along the lines, whose wave numbers are the places in them. */
static void spread(void) {
  for (size_t i = 0; i < rows * n * n; ++i) {
    const double place = (double)(i % n);
    const double k = place < (double)n / 2 ? place : place - (double)n;
    lines[i] *= cexp(-I * 0.01 * k * k) / (double)(n * n * n);
  }
}

static void fill(void) {
  const double step = 2 * acos(-1) / (double)n;
  for (size_t i = 0; i < planes * n * n; ++i) {
    const double x = step * (double)((size_t)rank * planes + i / (n * n));
    const double y = step * (double)(i / n % n), z = step * (double)(i % n);
    field[i] = exp(cos(x) + sin(2 * y) * cos(z));
  }
}

static int write_to(const char* base) {
  char name[4096];
  snprintf(name, sizeof name, "%s.%d", base, rank);
  FILE* file = fopen(name, "wb");
  const size_t own = planes * n * n;
  return file != NULL && fwrite(field, sizeof *field, own, file) == own && fclose(file) == 0;
}

static fftw_plan plan_of(int dimensions, int sign) {
  const int sizes[2] = {(int)n, (int)n};
  return fftw_plan_dft(dimensions, sizes, lines, lines, sign, FFTW_ESTIMATE | FFTW_UNALIGNED);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  n = argc > 3 ? (size_t)atol(argv[1]) : 0;
  planes = rows = n / (size_t)ranks;
  if (planes == 0 || planes * (size_t)ranks != n) MPI_Abort(MPI_COMM_WORLD, 2);
  groups = planes % most_groups == 0 ? most_groups : 1;
  thick = planes / (size_t)groups;
  const size_t own = planes * n * n;
  field = fftw_alloc_complex(own);
  lines = fftw_alloc_complex(own);
  sent = fftw_alloc_complex(own);
  received = fftw_alloc_complex(own);
  fftw_plan plane_there = plan_of(2, FFTW_FORWARD), plane_back = plan_of(2, FFTW_BACKWARD);
  fftw_plan line_there = plan_of(1, FFTW_FORWARD), line_back = plan_of(1, FFTW_BACKWARD);
  fill();
  const double start = MPI_Wtime();
  for (int s = 0; s < atoi(argv[2]); ++s) {
    transform_there(plane_there, line_there);
    spread();
    transform_back(plane_back, line_back);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("Loop time of %.6f\n", MPI_Wtime() - start);
  if (!write_to(argv[3])) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}
