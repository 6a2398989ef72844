// Sums of what devices have, called in ways that are seldom, within an error bound of 1e-3 that the
// job's settings have.
//
//   odd_calls_on_device DRIVER HOW
//
// HOW: session (a session is open when MPI begins, so that Tightwire does nothing), mixed (of an
// MPI_Reduce_scatter the last rank gets nothing, and does not say that it is in place as the others
// do), nothing (it has a buffer for it), gathered (of an MPI_Allgatherv the last rank has nothing,
// in a buffer of its own), odd (the result is at an odd address). Three calls. Rank 0 prints for
// each what all ranks have: "within the bound", "wrong", or "an error".
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "support/cuda_driver.h"

namespace devices {
namespace {

constexpr int count = 60000;
constexpr int room = count + 64;
constexpr double bound = 1e-3;

int rank = 0;
int ranks = 0;

float value_at(int i, int of_rank) {
  return static_cast<float>(std::sin(i * 1e-3 + of_rank));
}

struct Memory {
  explicit Memory(const Driver& with)
      : driver(with), device(with.allocate(room)), alias(with.alias_of(device, room)) {}
  void fill() const {
    for (int i = 0; i < count; ++i) reinterpret_cast<float*>(alias)[i] = value_at(i, rank);
    driver.to_device(device, alias, room);
  }
  [[nodiscard]] std::vector<float> values(int items, std::size_t from) const {
    driver.from_device(alias, device, room);
    std::vector<float> read(static_cast<std::size_t>(items));
    std::memcpy(read.data(), reinterpret_cast<char*>(alias) + from, read.size() * sizeof(float));
    return read;
  }

  const Driver& driver;
  int* device;
  int* alias;
};

constexpr const char* answers[] = {"within the bound", "wrong", "an error"};

int judge(int code, const std::vector<float>& got, int first) {
  if (code != MPI_SUCCESS) return 2;
  for (std::size_t i = 0; i < got.size(); ++i) {
    double sum = 0;
    for (int of = 0; of < ranks; ++of) sum += value_at(first + static_cast<int>(i), of);
    if (!(std::abs(got[i] - sum) <= bound * 1.01)) return 1;
  }
  return 0;
}

// The last rank gets nothing.
int scatter(const Memory& own, const Memory& result, bool mixed) {
  const int items = count / (ranks - 1);
  std::vector<int> counts(static_cast<std::size_t>(ranks), items);
  counts.back() = 0;
  const bool is_last = rank == ranks - 1;
  const bool in_place = mixed && !is_last;
  const Memory& out = in_place ? own : result;
  const void* const from = in_place ? MPI_IN_PLACE : own.device;
  void* const to = mixed && is_last ? nullptr : static_cast<void*>(out.device);
  const int code = MPI_Reduce_scatter(from, to, counts.data(), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  return judge(code, out.values(is_last ? 0 : items, 0), rank * items);
}

// Each but the last has a part of its own values, which are gathered.
int gather(const Memory& own, const Memory& result) {
  const int items = count / (ranks - 1);
  std::vector<int> counts(static_cast<std::size_t>(ranks), items);
  std::vector<int> places(static_cast<std::size_t>(ranks));
  counts.back() = 0;
  for (int of = 0; of < ranks; ++of) places[static_cast<std::size_t>(of)] = of * items;
  const int code =
      MPI_Allgatherv(own.device, rank == ranks - 1 ? 0 : items, MPI_FLOAT, result.device,
                     counts.data(), places.data(), MPI_FLOAT, MPI_COMM_WORLD);
  if (code != MPI_SUCCESS) return 2;
  const std::vector<float> got = result.values((ranks - 1) * items, 0);
  for (int i = 0; i < (ranks - 1) * items; ++i) {
    const float expected = value_at(i % items, i / items);
    if (!(std::abs(got[static_cast<std::size_t>(i)] - expected) <= bound * 1.01)) return 1;
  }
  return 0;
}

int sum(const Memory& own, const Memory& result, std::size_t from) {
  const int code = MPI_Allreduce(own.device, reinterpret_cast<char*>(result.device) + from, count,
                                 MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  return judge(code, result.values(count, from), 0);
}

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  const std::string how = argv[2];
  const Driver driver(argv[1]);
#if MPI_VERSION >= 4
  MPI_Session session = MPI_SESSION_NULL;
  if (how == "session") MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
#else
  if (how == "session") {
    std::puts("no sessions");
    return 0;
  }
#endif
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const Memory own(driver);
  const Memory result(driver);
  for (int call = 0; call < 3; ++call) {
    own.fill();
    int answer = 0;
    if (how == "gathered") {
      answer = gather(own, result);
    } else if (how == "mixed" || how == "nothing") {
      answer = scatter(own, result, how == "mixed");
    } else {
      answer = sum(own, result, how == "odd" ? 1 : 0);
    }
    PMPI_Allreduce(MPI_IN_PLACE, &answer, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) std::puts(answers[answer]);
  }
  MPI_Finalize();
#if MPI_VERSION >= 4
  // MPICH tells mpirun that a rank is done with its last session only; else it kills the others.
  if (session != MPI_SESSION_NULL) MPI_Session_finalize(&session);
#endif
  return 0;
}

}  // namespace
}  // namespace devices

int main(int argc, char** argv) {
  return devices::main(argc, argv);
}
