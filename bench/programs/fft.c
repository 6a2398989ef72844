/* Three-dimensional Fourier transforms there and back by FFTW over MPI: fft WIDTH STEPS FILE.
 * Between them a wave spreads, so that every transform has other values. Each rank writes its part
 * of the field to FILE.RANK. */
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const ptrdiff_t n = atol(argv[1]);
  ptrdiff_t planes, first;
  const ptrdiff_t items = fftw_mpi_local_size_3d(n, n, n, MPI_COMM_WORLD, &planes, &first);
  fftw_complex* field = fftw_alloc_complex((size_t)items);
  const unsigned how = FFTW_ESTIMATE;
  fftw_plan there = fftw_mpi_plan_dft_3d(n, n, n, field, field, MPI_COMM_WORLD, FFTW_FORWARD, how);
  fftw_plan back = fftw_mpi_plan_dft_3d(n, n, n, field, field, MPI_COMM_WORLD, FFTW_BACKWARD, how);
  const double step = 2 * acos(-1) / (double)n;
  for (ptrdiff_t i = 0; i < planes * n * n; ++i) {
    const double x = step * (double)(first + i / (n * n)), y = step * (double)(i / n % n);
    const double z = step * (double)(i % n);
    field[i] = exp(cos(x) + sin(2 * y) * cos(z));
  }
  const double start = MPI_Wtime();
  for (int s = 0; s < atoi(argv[2]); ++s) {
    fftw_execute(there);
    for (ptrdiff_t i = 0; i < planes * n * n; ++i) {
      const double plane = (double)(first + i / (n * n));
      const double k = plane < (double)n / 2 ? plane : plane - (double)n;
      field[i] *= cexp(-I * 0.01 * k * k) / (double)(n * n * n);
    }
    fftw_execute(back);
  }
  if (rank == 0) printf("Loop time of %.6f\n", MPI_Wtime() - start);
  char name[4096];
  snprintf(name, sizeof name, "%s.%d", argv[3], rank);
  FILE* file = fopen(name, "wb");
  const size_t own = (size_t)(planes * n * n);
  const int failed = file == NULL || fwrite(field, sizeof *field, own, file) != own;
  if (failed || fclose(file) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}
