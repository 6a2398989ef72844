// The command line of the benchmark.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "collectives/call.h"
#include "collectives/field.h"
#include "settings/values.h"

namespace tightwire::bench {

struct Options {
  std::vector<std::size_t> counts;
  std::vector<Collective> collectives;
  Data data = Data::smooth;
  std::string error_bound_text;
  settings::ErrorBound error_bound;
  double seconds = 1;  // a collective and size
  std::string output;
};

// What to say in place of measuring: help, or what is wrong with the command line.
struct Notice {
  std::string text;
  int exit_code = 0;
};

[[nodiscard]] std::variant<Options, Notice> parse_options(int argc, char** argv);

}  // namespace tightwire::bench
