// The command line of tightwire calibrate.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "calibrate/collectives/collective.h"
#include "calibrate/collectives/field.h"
#include "calibrate/measure/notice.h"

namespace tightwire::calibrate {

struct CalibrateOptions {
  std::uint64_t smallest = 0;  // bytes
  std::uint64_t largest = 0;
  std::vector<Collective> collectives;
  std::vector<Data> data;
  std::string error_bound;
  double seconds = 0;  // for everything, about
  std::string settings_file;
  std::string measurements_file;
  bool force = false;
  std::uint32_t threads = 0;  // of a rank, to measure up to; 0: as many as it has cores

  // Powers of two from the smallest to the largest.
  [[nodiscard]] std::vector<std::uint64_t> sizes() const;
};

[[nodiscard]] std::variant<CalibrateOptions, Notice> parse_calibrate_options(
    int argc, const char* const* argv);

}  // namespace tightwire::calibrate
