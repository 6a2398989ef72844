// The median of some measurements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace tightwire::policy {

// The lower one of two. `values` is not empty, and is put into another order.
[[nodiscard]] inline double median(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace tightwire::policy
