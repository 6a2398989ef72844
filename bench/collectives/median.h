#pragma once

#include <algorithm>
#include <vector>

namespace tightwire::bench {

// The middle value, of an even number the lower middle one. `values` must not be empty.
template <class T>
[[nodiscard]] T median(std::vector<T> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace tightwire::bench
