// The command line of the benchmark.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "calibrate/collectives/call.h"
#include "calibrate/collectives/field.h"
#include "calibrate/measure/notice.h"
#include "settings/values.h"
#include "support/measure.h"

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

[[nodiscard]] std::variant<Options, Notice> parse_options(int argc, const char* const* argv);

}  // namespace tightwire::bench
