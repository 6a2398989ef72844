// Allreduce, Reduce and Bcast from C++. What it prints: README.md.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

namespace {

int rank = 0;
int size = 0;

struct Digest {
  std::int64_t value = 1;
  void feed(std::int64_t next) {
    value = (31 * value + next) % 2147483647;
    if (value < 0) value += 2147483647;
  }
};

std::int64_t digest(const std::vector<std::int64_t>& values) {
  Digest digest;
  for (const auto value : values) digest.feed(value % 1000003);
  return digest.value;
}

std::int64_t digest(const std::vector<std::complex<float>>& values) {
  Digest digest;
  for (const auto& value : values) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    digest.feed(static_cast<std::int64_t>(bits & 0x7fffffff));
    digest.feed(static_cast<std::int64_t>(bits >> 31));
  }
  return digest.value;
}

std::string label(const char* what, int count, int root = 0) {
  return std::string(what) + "-" + std::to_string(count) + "-" + std::to_string(root);
}

void print(const char* kind, const std::string& what, std::int64_t value) {
  if (rank == 0) std::cout << kind << ' ' << what << ' ' << value << '\n';
}

void print_samples(const std::string& what, const std::vector<std::complex<float>>& values) {
  if (rank != 0) return;
  std::cout << "close " << what;
  for (std::size_t i = 0; i < values.size(); i += 1 + values.size() / 5) {
    std::cout << ' ' << values[i].real() << ' ' << values[i].imag();
  }
  std::cout << '\n';
}

void print_same(const std::string& what, std::int64_t digest) {
  std::vector<std::int64_t> all(size);
  MPI_Allgather(&digest, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, MPI_COMM_WORLD);
  const bool same = std::all_of(all.begin(), all.end(), [&](auto d) { return d == all[0]; });
  if (rank == 0) std::cout << "same " << what << (same ? " yes\n" : " no\n");
}

void integers(int count) {
  std::vector<std::int64_t> mine(count), result(count);
  for (int i = 0; i < count; ++i) mine[i] = (i * 7919LL + rank * 104729LL) % 1000000 - 500000;

  MPI_Allreduce(mine.data(), result.data(), count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  print("exact", label("allreduce-sum", count), digest(result));
  result = mine;
  MPI_Allreduce(MPI_IN_PLACE, result.data(), count, MPI_INT64_T, MPI_BXOR, MPI_COMM_WORLD);
  print("exact", label("allreduce-bxor", count), digest(result));

  for (int root = 0; root < size; ++root) {
    MPI_Reduce(mine.data(), result.data(), count, MPI_INT64_T, MPI_MIN, root, MPI_COMM_WORLD);
    std::int64_t value = digest(result);
    MPI_Bcast(&value, 1, MPI_INT64_T, root, MPI_COMM_WORLD);
    print("exact", label("reduce-min", count, root), value);

    result = mine;
    MPI_Bcast(result.data(), count, MPI_INT64_T, root, MPI_COMM_WORLD);
    print("exact", label("bcast", count, root), digest(result));
    print_same(label("bcast", count, root), digest(result));
  }
}

void complex_numbers(int count) {
  std::vector<std::complex<float>> mine(count), result(count);
  for (int i = 0; i < count; ++i) {
    mine[i] = std::polar(1.0F + 0.25F * static_cast<float>(rank), 1e-3F * static_cast<float>(i));
  }
  MPI_Allreduce(mine.data(), result.data(), count, MPI_C_FLOAT_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  print_samples(label("allreduce-sum", count), result);
  print_same(label("allreduce-sum", count), digest(result));

  result = mine;
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : result.data(), result.data(), count, MPI_C_FLOAT_COMPLEX,
             MPI_SUM, 0, MPI_COMM_WORLD);
  print_samples(label("reduce-sum", count), result);

  const int root = size - 1;
  result = mine;
  MPI_Bcast(result.data(), count, MPI_C_FLOAT_COMPLEX, root, MPI_COMM_WORLD);
  print("bytes", label("bcast", count, root), digest(result));
  print_samples(label("bcast", count, root), result);
}

}  // namespace

int main() {
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::cout << std::setprecision(17);
  for (const int count : {0, 1, 1000, 1 << 20}) {
    integers(count);
    complex_numbers(count);
  }
  MPI_Finalize();
}
