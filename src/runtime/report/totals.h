// The figures of all ranks, summed.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/report/remark.h"
#include "runtime/runtime.h"

namespace tightwire::runtime {

struct MessageTimes {
  double encoding = 0;  // seconds
  double decoding = 0;
};

// Of buffers on devices.
struct Staged {
  std::uint64_t calls = 0;
  std::uint64_t to_host = 0;    // bytes
  std::uint64_t to_device = 0;  // bytes
  std::uint64_t encoded = 0;    // bytes of values, by a device
  std::uint64_t decoded = 0;    // bytes of values, by a device
};

// What the settings leave off is left at zero.
struct Totals {
  std::vector<Row> rows;                  // calls and seconds are summed over the ranks
  std::vector<std::uint64_t> rule_calls;  // calls of all ranks that met each rule
  MessageTimes messages;
  Predicted predicted;  // kept_bytes: of the rank that kept the most
  early::Statistics early;
  std::uint64_t helped = 0;  // pieces of work that helper threads did
  Staged staged;
};

// Collective over MPI_COMM_WORLD; of use on rank 0 only.
[[nodiscard]] Totals totals_of(const Runtime& runtime);

// Of all ranks. Collective over MPI_COMM_WORLD; of use on rank 0 only.
[[nodiscard]] Gain gain_of(const Runtime& runtime);

// This rank's own so far, but for early compression, which it tells at its end. Calls no MPI;
// thread safe.
[[nodiscard]] Totals own_totals(const Runtime& runtime);

// Which parts of the totals the settings ask for.
[[nodiscard]] bool with_messages(const Runtime& runtime);
[[nodiscard]] bool with_history(const Runtime& runtime);
[[nodiscard]] bool with_early(const Runtime& runtime);
[[nodiscard]] bool with_helpers(const Runtime& runtime, const Totals& totals);

}  // namespace tightwire::runtime
