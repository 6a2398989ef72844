// An MPI_Allreduce of numbers in memory of devices and of hosts, within an error bound of 1e-3 that
// the job's settings have.
//
//   summed_on_device DRIVER float|double OWN RESULT FIELD CALLS
//
// OWN: device, host, or some (rank 0 has it on the host). RESULT: device, host, or in-place. FIELD:
// smooth, noise, filled (some values are 1e30), missing (NaN). Rank 0 prints for each call, which
// has other values each time, what all ranks have received: "within the bound", "wrong", "different
// bits" or "an error".
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "support/cuda_driver.h"

namespace devices {
namespace {

constexpr double bound = 1e-3;
constexpr int count = 3 * (1 << 14) + 77;
// Behind the message, what must stay as it is.
constexpr int behind = 32;

int rank = 0;
int ranks = 0;
Driver driver;

double value_at(const std::string& field, int i, int of_rank, int call) {
  std::uint64_t noise = (static_cast<std::uint64_t>(i + 7919 * of_rank) + 1) * 0x9e3779b97f4a7c15U;
  noise = (noise ^ noise >> 31) * 0xbf58476d1ce4e5b9U;
  if (field == "noise") return static_cast<double>(noise >> 12) * 0x1p-20;
  if (field == "filled" && i % 1000 < 10) return 1e30;
  if (field == "missing" && i % 1000 < 10) return std::numeric_limits<double>::quiet_NaN();
  return std::sin(i * 1e-3 + of_rank) + 0.1 * call;
}

// Memory of the device or of the host, and how the processor gets there.
template <class T>
struct Memory {
  explicit Memory(bool on_device) {
    if (on_device) {
      device = driver.allocate(ints);
      alias = driver.alias_of(device, ints);
    } else {
      host.resize(count + behind);
    }
  }
  T* values() { return device != nullptr ? reinterpret_cast<T*>(alias) : host.data(); }
  void* given() { return device != nullptr ? static_cast<void*>(device) : host.data(); }
  void written() const {
    if (device != nullptr) driver.to_device(device, alias, ints);
  }
  void to_be_read() const {
    if (device != nullptr) driver.from_device(alias, device, ints);
  }

  static constexpr std::size_t ints = (count + behind) * sizeof(T) / sizeof(int);
  int* device = nullptr;
  int* alias = nullptr;
  std::vector<T> host;
};

template <class T>
bool is_right(const T* got, const std::string& field, int call) {
  for (int i = 0; i < count; ++i) {
    double sum = 0;
    double largest = 0;
    for (int of = 0; of < ranks; ++of) {
      const double value = static_cast<T>(value_at(field, i, of, call));
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
  return std::all_of(got + count, got + count + behind, [](T value) { return value == T{-1}; });
}

template <class T>
const char* judge(const T* got, const std::string& field, int call) {
  std::vector<T> of_root(got, got + count);
  PMPI_Bcast(of_root.data(), static_cast<int>(count * sizeof(T)), MPI_BYTE, 0, MPI_COMM_WORLD);
  int flags[2] = {!is_right(got, field, call),
                  std::memcmp(of_root.data(), got, count * sizeof(T)) != 0};
  PMPI_Allreduce(MPI_IN_PLACE, flags, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (flags[0] != 0) return "wrong";
  return flags[1] != 0 ? "different bits" : "within the bound";
}

template <class T>
void run(bool own_there, const std::string& to, const std::string& field, int calls,
         MPI_Datatype type) {
  const bool in_place = to == "in-place";
  Memory<T> own(own_there);
  Memory<T> result(to == "device");
  for (int call = 0; call < calls; ++call) {
    for (int i = 0; i < count + behind; ++i) {
      const double value = i < count ? value_at(field, i, rank, call) : -1;
      own.values()[i] = static_cast<T>(value);
      result.values()[i] = T{-1};
    }
    own.written();
    result.written();
    Memory<T>& out = in_place ? own : result;
    int failed = MPI_Allreduce(in_place ? MPI_IN_PLACE : own.given(), out.given(), count, type,
                               MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS;
    PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    out.to_be_read();
    const char* const said = failed != 0 ? "an error" : judge(out.values(), field, call);
    if (rank == 0) std::puts(said);
  }
}

int main(int argc, char** argv) {
  if (argc < 7) return 1;
  const std::vector<std::string> words(argv + 1, argv + argc);
  driver = Driver(argv[1]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const bool own_there = words[2] == "device" || (words[2] == "some" && rank != 0);
  const int calls = std::atoi(argv[6]);
  if (words[1] == "float") {
    run<float>(own_there, words[3], words[4], calls, MPI_FLOAT);
  } else {
    run<double>(own_there, words[3], words[4], calls, MPI_DOUBLE);
  }
  MPI_Finalize();
  return 0;
}

}  // namespace
}  // namespace devices

int main(int argc, char** argv) {
  return devices::main(argc, argv);
}
