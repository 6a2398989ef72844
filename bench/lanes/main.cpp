// Measures reductions where hosts have several ranks each: plain MPI, tightwire's flat rings, and
// its lanes, in alternation. Under Tightwire's preload library, which must not leave the messages
// alone (mode adaptive decides by the network).
//
//   bench-lanes-FAMILY FIELD BYTES SECONDS FOLDER
//
// FIELD is one of bench/fields, kept in FOLDER; SECONDS are spent on each operation. Prints CSV
// lines "op,bytes,field,method,median_ms,raw_ms,speedup,ranks_identical" from rank 0.
#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fields/fields.h"
#include "support/timing.h"
#include "tightwire.h"

namespace tightwire::bench {
namespace {

struct Method {
  const char* name;
  const char* mode;
  const char* lanes;
};
constexpr std::array methods{Method{"raw", "raw", "off"}, Method{"flat", "bounded", "off"},
                             Method{"lanes", "bounded", "on"}};

struct Buffers {
  int rank = 0;
  int ranks = 0;
  std::vector<float> own;
  std::vector<float> result;

  [[nodiscard]] int count() const { return static_cast<int>(own.size()); }
  [[nodiscard]] int share() const { return count() / ranks; }
};

void allreduce(Buffers& b) {
  MPI_Allreduce(b.own.data(), b.result.data(), b.count(), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}
void reduce(Buffers& b) {
  MPI_Reduce(b.own.data(), b.result.data(), b.count(), MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
}
void reduce_scatter(Buffers& b) {
  MPI_Reduce_scatter_block(b.own.data(), b.result.data(), b.share(), MPI_FLOAT, MPI_SUM,
                           MPI_COMM_WORLD);
}
struct Operation {
  const char* name;
  void (*run)(Buffers&);
  bool same_everywhere;
};
constexpr std::array operations{Operation{"allreduce", allreduce, true},
                                Operation{"reduce", reduce, false},
                                Operation{"reduce_scatter", reduce_scatter, false}};

void apply(const Method& method) {
  if (tightwire_set("mode", method.mode) == TIGHTWIRE_OK &&
      tightwire_set("lanes", method.lanes) == TIGHTWIRE_OK) {
    return;
  }
  std::fprintf(stderr, "bench-lanes: the settings of method %s are refused\n", method.name);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

// The slowest rank's time counts.
double timed(const Operation& operation, Buffers& buffers) {
  PMPI_Barrier(MPI_COMM_WORLD);
  const auto start = std::chrono::steady_clock::now();
  operation.run(buffers);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  double slowest = elapsed.count();
  PMPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

bool identical(const Buffers& buffers) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const float value : buffers.result) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 1099511628211U;
  }
  std::array<std::uint64_t, 2> extremes{hash, ~hash};
  PMPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return extremes[0] == ~extremes[1];
}

void measure(const Operation& operation, Buffers& buffers, const char* field, double seconds) {
  std::array<std::vector<double>, methods.size()> times;
  std::array<bool, methods.size()> same{};
  for (std::size_t i = 0; i < methods.size(); ++i) {
    apply(methods[i]);
    operation.run(buffers);
    same[i] = !operation.same_everywhere || identical(buffers);
  }
  double spent = 0;
  while (spent < seconds || times[0].size() < 5) {
    for (std::size_t i = 0; i < methods.size(); ++i) {
      apply(methods[i]);
      times[i].push_back(timed(operation, buffers));
      spent += times[i].back();
    }
  }
  const double raw = median(times[0]);
  for (std::size_t i = 0; i < methods.size() && buffers.rank == 0; ++i) {
    const double middle = median(times[i]);
    std::printf("%s,%zu,%s,%s,%.3f,%.3f,%.2f,%s\n", operation.name, buffers.own.size() * 4, field,
                methods[i].name, 1e3 * middle, 1e3 * raw, raw / middle, same[i] ? "yes" : "no");
    std::fflush(stdout);
  }
}

int run(char** argv) {
  const fields::Kind* kind = fields::find(argv[1]);
  const std::size_t bytes = std::strtoull(argv[2], nullptr, 10);
  if (kind == nullptr || bytes < (64U << 10) || (bytes & (bytes - 1)) != 0) {
    std::fprintf(stderr, "bench-lanes: no field \"%s\" of %s bytes\n", argv[1], argv[2]);
    return 2;
  }
  Buffers buffers;
  MPI_Comm_rank(MPI_COMM_WORLD, &buffers.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &buffers.ranks);
  // One makes it, the others find it made.
  if (buffers.rank != 0) PMPI_Barrier(MPI_COMM_WORLD);
  const fields::Field field = fields::cached(*kind, bytes, argv[4]);
  if (buffers.rank == 0) PMPI_Barrier(MPI_COMM_WORLD);
  buffers.own.resize(bytes / sizeof(float));
  buffers.result.resize(bytes / sizeof(float));
  std::memcpy(buffers.own.data(), field.bytes.data(), bytes);
  for (float& value : buffers.own) value *= 1 + 0.1F * static_cast<float>(buffers.rank);
  for (const Operation& operation : operations) {
    measure(operation, buffers, argv[1], std::atof(argv[3]));
  }
  return 0;
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 2;
  if (argc == 5 && tightwire_available() != 0) {
    code = tightwire::bench::run(argv);
  } else {
    std::fputs("usage: bench-lanes-FAMILY FIELD BYTES SECONDS FOLDER, under tightwire\n", stderr);
  }
  if (code != 0) MPI_Abort(MPI_COMM_WORLD, code);
  MPI_Finalize();
  return code;
}
