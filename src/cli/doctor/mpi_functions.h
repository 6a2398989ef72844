// MPI's functions that carry values, and what becomes of them. Made from calls.def by
// tools/coverage.py.
#pragma once

#include <span>
#include <string_view>

namespace tightwire::cli {

struct MpiFunction {
  std::string_view small;  // "send"
  std::string_view name;   // "MPI_Send"
  bool can_be_compressed;
  auto operator<=>(const MpiFunction&) const = default;  // NOLINT(modernize-use-nullptr)
};

// In alphabetical order.
[[nodiscard]] std::span<const MpiFunction> mpi_functions();

}  // namespace tightwire::cli
