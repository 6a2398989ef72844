// Sums the same contributions in many orders of the ranks, which must give the same bits.
//
//   any_order COUNT
//
// Every rank of the world has its own values; communicators with the same ranks in other orders
// reduce them. Prints "digest HEX" of the result from rank 0, so that runs with other settings can
// be compared; a difference between the orders, ranks or collectives is a failure that names them.
#include <mpi.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "xxhash.h"

namespace {

int failures = 0;

template <class T>
std::vector<T> contribution(int rank, std::size_t count) {
  std::vector<T> values(count);
  std::mt19937_64 random(static_cast<std::uint64_t>(rank) + 1);
  std::uniform_real_distribution<double> noise(-0.5, 0.5);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] =
        static_cast<T>(3 * std::sin(0.001 * static_cast<double>(i) * (rank + 1)) + noise(random));
  }
  return values;
}

template <class T>
MPI_Datatype type_of() {
  return sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

template <class T>
std::uint64_t digest_of(const std::vector<T>& values) {
  return XXH3_64bits(values.data(), values.size() * sizeof(T));
}

// Sums in the order of `comm`'s ranks; all its ranks must end with `expected`, unless that is 0.
template <class T>
std::uint64_t sum(MPI_Comm comm, const std::string& order, std::size_t count, MPI_Op op,
                  std::uint64_t expected) {
  int rank = 0;
  int ranks = 0;
  int world_rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  const std::vector<T> own = contribution<T>(world_rank, count);
  const auto check = [&](const char* what, const std::vector<T>& values) {
    const std::uint64_t digest = digest_of(values);
    if (expected == 0) expected = digest;
    if (digest == expected) return;
    std::printf("FAILED on rank %d: %s in order %s\n", world_rank, what, order.c_str());
    ++failures;
  };
  std::vector<T> result(count);
  const auto int_count = static_cast<int>(count);
  MPI_Allreduce(own.data(), result.data(), int_count, type_of<T>(), op, comm);
  check("Allreduce", result);
  for (const int root : {0, ranks - 1}) {
    std::vector<T> at_root(count);
    MPI_Reduce(own.data(), at_root.data(), int_count, type_of<T>(), op, root, comm);
    if (rank == root) check("Reduce", at_root);
  }
  // Everybody's part put together again, as plain bytes that nothing compresses within a bound.
  std::vector<int> counts(static_cast<std::size_t>(ranks), int_count / ranks);
  counts.back() += int_count % ranks;
  std::vector<int> places(counts.size(), 0);
  std::partial_sum(counts.begin(), counts.end() - 1, places.begin() + 1);
  const auto mine = static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]);
  std::vector<T> part(mine);
  MPI_Reduce_scatter(own.data(), part.data(), counts.data(), type_of<T>(), op, comm);
  constexpr int size = sizeof(T);
  for (int& one : counts) one *= size;
  for (int& one : places) one *= size;
  std::vector<T> whole(count);
  MPI_Allgatherv(part.data(), static_cast<int>(mine) * size, MPI_BYTE, whole.data(), counts.data(),
                 places.data(), MPI_BYTE, comm);
  check("Reduce_scatter", whole);
  return expected;
}

template <class T>
std::uint64_t in_all_orders(std::size_t count, MPI_Op op) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::uint64_t expected = sum<T>(MPI_COMM_WORLD, "0, 1, 2 ...", count, op, 0);
  const std::array<std::pair<const char*, int>, 4> orders{{
      {"reversed", -rank},
      {"rotated", (rank + 1) % ranks},
      {"even before odd", rank % 2 * ranks + rank},
      {"scattered", rank * 7 % 13 * ranks + rank},
  }};
  for (const auto& [name, key] : orders) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, key, &comm);
    expected = sum<T>(comm, name, count, op, expected);
    MPI_Comm_free(&comm);
  }
  return expected;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10000;
  std::array<std::uint64_t, 4> digests{};
  digests[0] = in_all_orders<float>(count, MPI_SUM);
  digests[1] = in_all_orders<double>(count, MPI_SUM);
  digests[2] = in_all_orders<float>(count, MPI_MAX);
  digests[3] = in_all_orders<double>(count, MPI_MIN);
  int all_failures = 0;
  MPI_Allreduce(&failures, &all_failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::printf("digest %016llx\n",
                static_cast<unsigned long long>(XXH3_64bits(digests.data(), sizeof digests)));
  }
  MPI_Finalize();
  return all_failures == 0 ? 0 : 1;
}
