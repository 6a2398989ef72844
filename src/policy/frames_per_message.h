// How many frames of a reduction travel in one message, where a rank sends one peer several at
// once: a message takes two ends some microseconds, to copy so many bytes takes less.
#pragma once

#include <algorithm>
#include <cstddef>

namespace tightwire::policy {

// `bytes`: of the values of a frame.
[[nodiscard]] constexpr std::size_t frames_per_message(std::size_t bytes) {
  constexpr std::size_t values_of_a_message = 64 << 10;
  constexpr std::size_t most = 256;
  return std::clamp<std::size_t>(values_of_a_message / std::max<std::size_t>(bytes, 1), 1, most);
}

}  // namespace tightwire::policy
