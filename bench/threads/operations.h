// What is measured: collectives, and a message from the first rank to the second.
#pragma once

#include <span>
#include <vector>

#include "calibrate/measure/plain_mpi.h"
#include "support/measure.h"

namespace tightwire::threads_bench {

// Of one rank. A call moves `own`, and leaves what it does in `result`, as large.
struct Buffers {
  int rank = 0;
  int ranks = 0;
  std::vector<float> own;
  std::vector<float> result;

  [[nodiscard]] int count() const { return static_cast<int>(own.size()); }
  [[nodiscard]] int share() const { return count() / ranks; }
};

struct Operation {
  const char* name;
  const char* chunks;  // the setting: messages between two ranks are not cut by default
  void (*run)(const bench::Functions& mpi, Buffers& buffers);
};

[[nodiscard]] std::span<const Operation> all_operations();

}  // namespace tightwire::threads_bench
