// From the smallest to the largest of some values.
#pragma once

#include <cmath>

namespace tightwire::codec {

struct Extent {
  double smallest = 0;
  double largest = 0;

  // May overflow to infinity.
  [[nodiscard]] double width() const { return largest - smallest; }
  [[nodiscard]] bool finite() const { return std::isfinite(smallest) && std::isfinite(largest); }
};

}  // namespace tightwire::codec
