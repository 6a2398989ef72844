// How much the program waits to receive.
//
// One that sends and receives at once shares the network with itself. And until its own messages
// have been handed to MPI, MPI must not be asked for anything: it would move on, and grant what
// others have announced for receives of the program. A message that was granted is queued whole, by
// Open MPI as by UCX over TCP, and what the other side has to say of ours, behind it: two messages
// that would have crossed go one after the other, and take twice as long.
#pragma once

#include <atomic>
#include <cstddef>

namespace tightwire::p2p {

namespace detail {
inline std::atomic<std::size_t> expected_bytes{0};
}

// Of the receives that are under way and watched.
[[nodiscard]] inline std::size_t expected_bytes() {
  return detail::expected_bytes.load(std::memory_order_relaxed);
}

// So many bytes are expected as long as this lives, or until it is told otherwise.
class Expected {
 public:
  explicit Expected(std::size_t bytes) : bytes_(bytes) {
    detail::expected_bytes.fetch_add(bytes_, std::memory_order_relaxed);
  }
  Expected(const Expected&) = delete;
  Expected& operator=(const Expected&) = delete;
  ~Expected() { end(); }

  void end() {
    detail::expected_bytes.fetch_sub(bytes_, std::memory_order_relaxed);
    bytes_ = 0;
  }

 private:
  std::size_t bytes_;
};

}  // namespace tightwire::p2p
