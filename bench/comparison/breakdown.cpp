#include "comparison/breakdown.h"

#include <algorithm>

#include "calibrate/measure/timing.h"

namespace tightwire::comparison {

double sum(const Breakdown& breakdown) {
  double seconds = 0;
  for (const auto part : all_parts) seconds += breakdown.*part;
  return seconds;
}

std::size_t median_place(std::span<const double> seconds) {
  const double middle = calibrate::median(std::vector<double>(seconds.begin(), seconds.end()));
  return static_cast<std::size_t>(std::ranges::find(seconds, middle) - seconds.begin());
}

}  // namespace tightwire::comparison
