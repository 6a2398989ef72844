// Allreduce, Reduce and Bcast from C. What it prints: README.md.
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static int64_t feed(int64_t digest, int64_t value) {
  const int64_t next = (31 * digest + value) % 2147483647;
  return next < 0 ? next + 2147483647 : next;
}

static int64_t digest_of_ints(const int* values, int count) {
  int64_t digest = 1;
  for (int i = 0; i < count; ++i) digest = feed(digest, values[i]);
  return digest;
}

static int64_t digest_of_doubles(const double* values, int count) {
  int64_t digest = 1;
  for (int i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    digest = feed(feed(digest, (int64_t)(bits & 0x7fffffff)), (int64_t)(bits >> 31));
  }
  return digest;
}

static void print_digest(const char* kind, const char* what, int count, int root, int64_t digest) {
  if (rank == 0) printf("%s %s-%d-%d %lld\n", kind, what, count, root, (long long)digest);
}

static void print_samples(const char* what, int count, const double* values) {
  if (rank != 0) return;
  double total = 0;
  for (int i = 0; i < count; ++i) total += values[i] / count;
  printf("close %s-%d %.17g", what, count, total);
  if (count > 0) printf(" %.17g %.17g %.17g", values[0], values[count / 2], values[count - 1]);
  printf("\n");
}

static void print_same(const char* what, int count, int64_t digest) {
  int64_t least, most;
  MPI_Allreduce(&digest, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&digest, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("same %s-%d %s\n", what, count, least == most ? "yes" : "no");
}

static void integers(int count) {
  int* mine = malloc(sizeof *mine * (count + 1));
  int* result = malloc(sizeof *result * (count + 1));
  for (int i = 0; i < count; ++i) mine[i] = (i * 7 + rank * 13) % 1000 - 500;

  MPI_Allreduce(mine, result, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  print_digest("exact", "allreduce-sum", count, 0, digest_of_ints(result, count));
  memcpy(result, mine, sizeof *mine * count);
  MPI_Allreduce(MPI_IN_PLACE, result, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  print_digest("exact", "allreduce-max", count, 0, digest_of_ints(result, count));

  for (int root = 0; root < size; ++root) {
    memcpy(result, mine, sizeof *mine * count);
    // In place at rank 0 alone: MPICH 4.0 crashes on any other root that reduces in place.
    const void* send = rank == 0 && root == 0 ? MPI_IN_PLACE : mine;
    MPI_Reduce(send, rank == root ? result : NULL, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    int64_t digest = digest_of_ints(result, count);
    MPI_Bcast(&digest, 1, MPI_INT64_T, root, MPI_COMM_WORLD);
    print_digest("exact", "reduce-sum", count, root, digest);

    memcpy(result, mine, sizeof *mine * count);
    MPI_Bcast(result, count, MPI_INT, root, MPI_COMM_WORLD);
    digest = digest_of_ints(result, count);
    print_digest("exact", "bcast", count, root, digest);
    print_same("bcast", count, digest);
  }
  free(mine);
  free(result);
}

static void doubles(int count) {
  double* mine = malloc(sizeof *mine * (count + 1));
  double* result = malloc(sizeof *result * (count + 1));
  for (int i = 0; i < count; ++i) mine[i] = sin(1e-3 * i) * (rank + 1) + 1e-3 * (i % 17);

  MPI_Allreduce(mine, result, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  print_samples("allreduce-sum", count, result);
  print_same("allreduce-sum", count, digest_of_doubles(result, count));
  memcpy(result, mine, sizeof *mine * count);
  MPI_Allreduce(MPI_IN_PLACE, result, count, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  print_samples("allreduce-min", count, result);
  print_same("allreduce-min", count, digest_of_doubles(result, count));

  MPI_Reduce(mine, result, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  print_samples("reduce-sum", count, result);

  for (int root = 0; root < size; ++root) {
    memcpy(result, mine, sizeof *mine * count);
    MPI_Bcast(result, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
    if (rank == root) memset(result, 0, sizeof *mine * count);
    int64_t digest = digest_of_doubles(result, count);
    int64_t digests = 0;
    MPI_Allreduce(&digest, &digests, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    print_digest("bytes", "bcast", count, root, digests);
    print_samples(root == 0 ? "bcast-at-root" : "bcast", count, result);
  }
  free(mine);
  free(result);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int counts[] = {0, 1, 1000, 1 << 20};
  for (int i = 0; i < 4; ++i) {
    integers(counts[i]);
    doubles(counts[i]);
  }
  MPI_Finalize();
  return 0;
}
