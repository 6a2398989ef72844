// How much the program waits to receive: one that sends and receives at once shares the network
// with itself.
#pragma once

#include <atomic>
#include <cstddef>

namespace tightwire::p2p {

namespace detail {
inline std::atomic<std::size_t> expected_bytes{0};
}

// Of the receives that are under way, but for those of persistent requests.
[[nodiscard]] inline std::atomic<std::size_t>& expected_bytes() {
  return detail::expected_bytes;
}

}  // namespace tightwire::p2p
