// The command line of the comparison.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "calibrate/measure/notice.h"
#include "comparison/operation.h"
#include "settings/values.h"
#include "support/measure.h"

namespace tightwire::comparison {

struct Options {
  std::vector<Operation> operations;
  std::vector<std::string> methods;
  std::vector<std::size_t> bytes;
  std::string field = "turbulence";
  std::string files;  // folder, in place of a field
  std::string cache = "results/scratch/fields";
  std::string save;  // folder for the results
  settings::ErrorBound error_bound;
  double zfp_rate = 8;
  double seconds = 2;  // each operation and size
  int fewest = 3;      // samples
  std::string link_gbps;
  std::string output;
  std::string breakdown;
};

[[nodiscard]] std::variant<Options, bench::Notice> parse_options(int argc, const char* const* argv);

}  // namespace tightwire::comparison
