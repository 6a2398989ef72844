#include "checker.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "tightwire.h"
#include "xxhash.h"

namespace operations {
namespace {

void set_mode(const std::string& mode) {
  if (tightwire_set("mode", mode.c_str()) != TIGHTWIRE_OK) {
    std::fprintf(stderr, "mode %s is refused\n", mode.c_str());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
}

template <class T>
double largest_difference(const std::vector<unsigned char>& a,
                          const std::vector<unsigned char>& b) {
  double largest = 0;
  for (std::size_t i = 0; i + sizeof(T) <= a.size(); i += sizeof(T)) {
    T x;
    T y;
    std::memcpy(&x, &a[i], sizeof x);
    std::memcpy(&y, &b[i], sizeof y);
    if (std::memcmp(&x, &y, sizeof x) == 0) continue;
    const double difference = std::fabs(static_cast<double>(x) - static_cast<double>(y));
    largest = std::isnan(difference) ? HUGE_VAL : std::fmax(largest, difference);
  }
  return largest;
}

}  // namespace

void Checker::reference_mode() const {
  set_mode("raw");
}
void Checker::tested_mode() const {
  set_mode(mode_);
}

void Checker::fail(const Case& test, const std::string& what) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::printf("FAILED on rank %d: %s: %s\n", rank, test.name.c_str(), what.c_str());
  ++failures_;
}

bool Checker::identical_on_all_ranks(const std::vector<unsigned char>& bytes, MPI_Comm comm) const {
  const std::uint64_t hash = XXH3_64bits(bytes.data(), bytes.size());
  std::array<std::uint64_t, 2> extremes{hash, ~hash};
  MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_UINT64_T, MPI_MAX, comm);
  return extremes[0] == ~extremes[1];
}

void Checker::judge(const Case& test, const std::vector<unsigned char>& expected,
                    const std::vector<unsigned char>& actual) {
  ++cases_;
  // Collective, so before anything that depends on this rank alone.
  if (test.same_everywhere && !identical_on_all_ranks(actual, test.comm)) {
    fail(test, "the ranks hold different bits");
  }
  if (!test.floating || (bound_ == 0 && !test.computes)) {
    if (expected != actual) fail(test, "bytes differ from plain MPI's");
    return;
  }
  const double difference = test.is_double ? largest_difference<double>(expected, actual)
                                           : largest_difference<float>(expected, actual);
  // Sums of a few values around 1: what the order of summation may change.
  const double rounding = test.computes ? (test.is_double ? 1e-13 : 1e-4 * 0.05) : 0;
  if (difference > bound_ + rounding) fail(test, "off by " + std::to_string(difference));
}

int Checker::finish() const {
  std::array<int, 2> sums{cases_, failures_};
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::printf("cases %d, failures %d\n", sums[0], sums[1]);
  return sums[1];
}

}  // namespace operations
