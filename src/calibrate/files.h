// What a calibration leaves behind: thresholds for Tightwire to read, measurements to draw.
#pragma once

#include <string>
#include <vector>

#include "calibrate/thresholds.h"
#include "settings/values.h"

namespace tightwire::calibrate {

// One collective on one kind of data.
struct Series {
  std::string collective;
  std::string data;
  std::vector<Times> times;
};

// Geometric means over the series, size by size: one outlier among several series weighs no more
// than its ratio to the others. All must have the same sizes, and no time be 0.
[[nodiscard]] std::vector<Times> typical(const std::vector<Series>& series);

// tightwire.toml. `circumstances` is put in its heading: where and how it was measured.
[[nodiscard]] std::string settings_file(const Thresholds& thresholds,
                                        const std::vector<std::string>& circumstances,
                                        const settings::CodingSpeedups& speedups = {});

// collective,data,bytes,raw_ms,exact_ms,bounded_ms,pipelined_ms,
// threshold_exact,threshold_bounded,threshold_pipelined: the last three in bytes or "never", the
// same on all lines.
[[nodiscard]] std::string measurements_file(const std::vector<Series>& series,
                                            const Thresholds& thresholds);

// "64K", "never"
[[nodiscard]] std::string printed_size(std::uint64_t bytes);

}  // namespace tightwire::calibrate
