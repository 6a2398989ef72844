// The arguments of bench-scale-smpi, as main.cpp tells of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "comparison/operation.h"

namespace tightwire::scale {

// A collective, or else the halo.
using Asked = std::optional<comparison::Operation>;

struct Options {
  std::vector<std::string> methods;
  std::vector<Asked> operations;
  std::vector<std::size_t> bytes;
  double bound = 0;
  std::string prefix;
  int calls_before = 1;
  int calls = 1;
  bool shares_results = false;
  std::string speedups;
  double carry_per_byte = 0;
  bool is_mpich = false;
  bool deals_terms = false;
};

// Throws std::exception.
[[nodiscard]] Options parse(int argc, char** argv);

}  // namespace tightwire::scale
