// The measuring itself.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "calibrate/files.h"
#include "calibrate/options.h"

namespace tightwire::calibrate {

// Called after each size with the share of the sizes done so far, and the typical times of that
// size.
using Progress = std::function<void(double share, const Times& times)>;

// One series for each collective and kind of data, or what keeps it from measuring. All ranks call
// it and get the same.
[[nodiscard]] std::variant<std::vector<Series>, std::string> calibrate(
    const CalibrateOptions& options, const Progress& progress);

}  // namespace tightwire::calibrate
