#include "matching.h"

#include <cmath>
#include <cstdint>
#include <cstdio>

namespace matching {
namespace {

int failed = 0;

}  // namespace

std::vector<double> smooth(std::size_t bytes, int seed) {
  std::vector<double> values(bytes / sizeof(double));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::round(std::sin(static_cast<double>(i) * 1e-3) * 100) + seed;
  }
  return values;
}

std::vector<double> rough(std::size_t bytes) {
  auto values = smooth(bytes, 1);
  std::uint32_t state = 1;
  for (double& value : values) {
    state = state * 1664525 + 1013904223;
    value += (state >> 12) * 1e-9;
  }
  return values;
}

void expect(bool holds, const std::string& what) {
  if (holds) return;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (++failed < 20) std::printf("rank %d: wrong: %s\n", rank, what.c_str());
}

int failures() {
  return failed;
}

std::size_t bytes_in(const MPI_Status& status) {
  int count = 0;
  MPI_Get_count(&status, MPI_BYTE, &count);
  return static_cast<std::size_t>(count);
}

void receive(std::size_t bytes, int seed, int source, int wanted_tag, int tag) {
  std::vector<double> values(bytes / sizeof(double) + 4, -1);
  MPI_Status status{};
  MPI_Recv(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, source, wanted_tag,
           MPI_COMM_WORLD, &status);
  values.resize(bytes / sizeof(double));
  const std::string what =
      "message of " + std::to_string(bytes) + " bytes, tag " + std::to_string(tag);
  expect(status.MPI_TAG == tag, what + ": its tag is " + std::to_string(status.MPI_TAG));
  expect(bytes_in(status) == bytes, what + ": its size is " + std::to_string(bytes_in(status)));
  expect(values == smooth(bytes, seed), what + ": its contents");
}

}  // namespace matching
