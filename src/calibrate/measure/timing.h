// Stop-watch and median, for programs that take their measurements in alternation.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace tightwire::calibrate {

template <class Work>
[[nodiscard]] double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The middle value, of an even number the lower middle one. `values` must not be empty.
template <class T>
[[nodiscard]] T median(std::vector<T> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace tightwire::calibrate
