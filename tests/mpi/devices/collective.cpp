// Collectives of numbers in memory of devices and of hosts, within an error bound of 1e-3 that the
// job's settings have.
//
//   collective_on_device DRIVER OPERATION float|double OWN RESULT FIELD CALLS
//
// OPERATION: allreduce, reduce, reduce-scatter (uneven), bcast, scatter, gather, allgather or
// alltoall. OWN, where values come from: device, host, some (rank 0 has its own on the host) or
// most (the last one has). RESULT, where they go: device, host, mixed (of ranks with an odd number
// on the host), or in-place (of a scatter or a gather the root's). Rank 0 is the root. FIELD:
// smooth, noise, filled (some values are 1e30), missing (NaN). Rank 0 prints for each call, which
// has other values each time, what all ranks have received: "within the bound", "wrong", "different
// bits" or "an error".
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "memory.h"

namespace devices {
namespace {

constexpr double bound = 1e-3;
constexpr int count = 3 * (1 << 14) + 77;
// Behind the message, what must stay as it is.
constexpr int behind = 32;

int rank = 0;
int ranks = 0;
std::string operation;
Driver driver;

double value_at(const std::string& field, int i, int of_rank, int call) {
  std::uint64_t noise = (static_cast<std::uint64_t>(i + 7919 * of_rank) + 1) * 0x9e3779b97f4a7c15U;
  noise = (noise ^ noise >> 31) * 0xbf58476d1ce4e5b9U;
  if (field == "noise") return static_cast<double>(noise >> 12) * 0x1p-20;
  if (field == "filled" && i % 1000 < 10) return 1e30;
  if (field == "missing" && i % 1000 < 10) return std::numeric_limits<double>::quiet_NaN();
  return std::sin(i * 1e-3 + of_rank) + 0.1 * call;
}

// Of the values that a rank is to have, from a place in the message on.
struct Share {
  int first = 0;
  int items = count;
};

// Of a scattered sum the first rank has more than the others.
int items_of(int of) {
  const int each = count / (ranks + 1);
  return of == 0 ? count - (ranks - 1) * each : each;
}

// As many for each rank; the rest is not sent.
int items_of_block() {
  return count / ranks;
}

bool moves_blocks() {
  return operation == "scatter" || operation == "gather" || operation == "allgather" ||
         operation == "alltoall";
}

Share own_share() {
  const int block = items_of_block();
  if (operation == "scatter") return {rank * block, block};
  if ((operation == "reduce" || operation == "gather") && rank != 0) return {0, 0};
  if (moves_blocks()) return {0, ranks * block};
  if (operation != "reduce-scatter") return {};
  return {rank == 0 ? 0 : items_of(0) + (rank - 1) * items_of(1), items_of(rank)};
}

// What is moved to place `i` of the share. A rank's block of a gather is where it would be in
// place.
double moved_value(const std::string& field, int i, int call) {
  const int block = items_of_block();
  if (operation == "gather" || operation == "allgather") return value_at(field, i, i / block, call);
  if (operation == "alltoall") {
    return value_at(field, rank * block + i % block, i / block, call);
  }
  return value_at(field, own_share().first + i, 0, call);
}

template <class T>
bool is_right(const T* got, const std::string& field, int call, bool in_place) {
  const Share share = own_share();
  const bool moves = operation == "bcast" || moves_blocks();
  const int terms = moves ? 1 : ranks;
  for (int i = 0; i < share.items; ++i) {
    double sum = 0;
    double largest = 0;
    for (int of = 0; of < terms; ++of) {
      const double value = static_cast<T>(moves ? moved_value(field, i, call)
                                                : value_at(field, share.first + i, of, call));
      sum += value;
      largest = std::max(largest, std::abs(value));
    }
    // Beside the bound, what numbers of this size are rounded to.
    const double rounded = ranks * largest * std::numeric_limits<T>::epsilon();
    const double error = std::abs(static_cast<double>(got[i]) - sum);
    if (std::isnan(sum) ? !std::isnan(got[i]) : !(error <= bound + rounded)) {
      std::fprintf(stderr, "value %d: %g for %g\n", i, static_cast<double>(got[i]), sum);
      return false;
    }
  }
  // In place, own values may be left behind a share.
  const T* const untouched = got + (share.items > 0 && in_place ? count : share.items);
  return std::all_of(untouched, got + count + behind, [](T value) { return value == T{-1}; });
}

// A root keeps its values as they are, so it is the last rank whose bits all others have.
template <class T>
const char* judge(const T* got, const std::string& field, int call, bool in_place) {
  const std::string_view bits(reinterpret_cast<const char*>(got),
                              static_cast<std::size_t>(own_share().items) * sizeof(T));
  const std::uint64_t hash = std::hash<std::string_view>()(bits);
  std::uint64_t of_last = hash;
  PMPI_Bcast(&of_last, 1, MPI_UINT64_T, ranks - 1, MPI_COMM_WORLD);
  const bool is_own = operation == "bcast" && rank == 0;
  const bool has_all = operation == "bcast" || operation == "allreduce" || operation == "allgather";
  const bool may_differ = is_own || !has_all;
  int flags[2] = {!is_right(got, field, call, in_place), !may_differ && of_last != hash};
  PMPI_Allreduce(MPI_IN_PLACE, flags, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (flags[0] != 0) return "wrong";
  return flags[1] != 0 ? "different bits" : "within the bound";
}

template <class T>
int move_blocks(Memory<T>& own, void* from, void* to, MPI_Datatype type) {
  const int items = items_of_block();
  const bool in_place = from == MPI_IN_PLACE;
  if (operation == "scatter") {
    return MPI_Scatter(own.given(), items, type, in_place ? MPI_IN_PLACE : to, items, type, 0,
                       MPI_COMM_WORLD);
  }
  if (operation == "alltoall") {
    return MPI_Alltoall(from, items, type, to, items, type, MPI_COMM_WORLD);
  }
  void* const block = in_place ? MPI_IN_PLACE : static_cast<T*>(own.given()) + rank * items;
  if (operation == "gather") {
    return MPI_Gather(block, items, type, to, items, type, 0, MPI_COMM_WORLD);
  }
  return MPI_Allgather(block, items, type, to, items, type, MPI_COMM_WORLD);
}

template <class T>
int collective(Memory<T>& own, Memory<T>& result, bool in_place, MPI_Datatype type) {
  void* const from = in_place ? MPI_IN_PLACE : own.given();
  void* const to = result.given();
  if (operation == "bcast") return MPI_Bcast(to, count, type, 0, MPI_COMM_WORLD);
  if (moves_blocks()) return move_blocks(own, from, to, type);
  if (operation == "reduce") {
    return MPI_Reduce(from, to, count, type, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  if (operation == "reduce-scatter") {
    std::vector<int> counts;
    for (int of = 0; of < ranks; ++of) counts.push_back(items_of(of));
    return MPI_Reduce_scatter(from, to, counts.data(), type, MPI_SUM, MPI_COMM_WORLD);
  }
  return MPI_Allreduce(from, to, count, type, MPI_SUM, MPI_COMM_WORLD);
}

template <class T>
void run(bool own_there, const std::string& to, const std::string& field, int calls,
         MPI_Datatype type) {
  const bool is_root = operation == "bcast" && rank == 0;
  const bool only_root = operation == "reduce" || operation == "scatter" || operation == "gather";
  const bool in_place = to == "in-place" && (!only_root || rank == 0);
  Memory<T> own(driver, own_there, count + behind);
  const bool result_there = to == "device" || (to == "mixed" && rank % 2 == 0) ||
                            (to == "in-place" && operation == "scatter");
  Memory<T> result(driver, result_there, count + behind);
  Memory<T>& out = in_place || is_root ? own : result;
  for (int call = 0; call < calls; ++call) {
    for (int i = 0; i < count + behind; ++i) {
      const double value = i < count ? value_at(field, i, rank, call) : -1;
      result.values()[i] = T{-1};
      own.values()[i] = static_cast<T>(value);
    }
    result.written();
    own.written();
    int failed = collective(own, out, in_place, type) != MPI_SUCCESS;
    PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    out.to_be_read();
    const char* const said = failed != 0 ? "an error" : judge(out.values(), field, call, in_place);
    if (rank == 0) std::puts(said);
  }
}

int main(int argc, char** argv) {
  if (argc < 8) return 1;
  const std::vector<std::string> words(argv + 1, argv + argc);
  driver = Driver(argv[1]);
  operation = words[1];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const bool own_there = words[3] == "device" || (words[3] == "some" && rank != 0) ||
                         (words[3] == "most" && rank != ranks - 1);
  const int calls = std::atoi(argv[7]);
  if (words[2] == "float") {
    run<float>(own_there, words[4], words[5], calls, MPI_FLOAT);
  } else {
    run<double>(own_there, words[4], words[5], calls, MPI_DOUBLE);
  }
  MPI_Finalize();
  return 0;
}

}  // namespace
}  // namespace devices

int main(int argc, char** argv) {
  return devices::main(argc, argv);
}
