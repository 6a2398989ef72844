// Collects what went wrong. Every rank counts for itself; finish() adds up. Any thread may report.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>

#include "options.h"

namespace check {

class Checker {
 public:
  explicit Checker(Options options) : options_(std::move(options)) {}

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const Bound& bound() const { return options_.bound; }

  // Names what this thread checks from here on.
  void begin_case(std::string name);

  // Reports a failure of the current case, with where it was seen.
  void fail(const std::string& what);
  void expect(bool ok, const char* what) {
    if (!ok) {
      fail(what);
    }
  }
  void expect_success(int code, const char* call);

  // All ranks of the communicator, but for one if named, must pass the same bytes. Collective.
  void expect_same_bits(MPI_Comm comm, std::span<const std::byte> bytes, int except_rank = -1);

  // Values that arrived within a bound but not exactly; tests use it to see that codecs were at
  // work.
  void count_inexact(std::uint64_t values) { inexact_ += values; }

  // Prints the sums over all ranks on rank 0; the program's exit code.
  [[nodiscard]] int finish();

 private:
  Options options_;
  std::atomic<std::uint64_t> cases_ = 0;
  std::atomic<std::uint64_t> failures_ = 0;
  std::atomic<std::uint64_t> inexact_ = 0;
  std::mutex printing_;
};

// "all ranks of comm": MPI_COMM_WORLD's rank is in the text of failures, this one's in the data.
[[nodiscard]] int rank_in(MPI_Comm comm);
[[nodiscard]] int size_of(MPI_Comm comm);

}  // namespace check
