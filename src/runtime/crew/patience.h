// How long a call that has one piece to work on looks for the next ones.
//
// Pieces that leave a rank one after the other arrive so at the next one. If that set to work on
// the first as soon as it is there, its helpers would have none, and it would hand them on one by
// one again, along a ring or a tree to the end. Work takes longer than pieces of a fast network are
// apart: a small part of it, spent looking for more, costs little where none come.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>

namespace tightwire::runtime {

// Thread safe. What calls of several threads note is mixed up.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  // So many bytes of values took a thread so long.
  void note(Clock::duration taken, std::size_t bytes) {
    if (bytes == 0) return;
    const std::chrono::duration<double> seconds = taken;
    per_byte_.store(seconds.count() / static_cast<double>(bytes), std::memory_order_relaxed);
  }

  // For a piece of so many bytes.
  [[nodiscard]] Clock::duration of(std::size_t bytes) const {
    const std::chrono::duration<double> seconds(part * static_cast<double>(bytes) *
                                                per_byte_.load(std::memory_order_relaxed));
    return std::min(std::chrono::duration_cast<Clock::duration>(seconds), longest);
  }

 private:
  static constexpr double part = 1.0 / 16;
  // What took longer was not at work all the time, or is slower than any network.
  static constexpr Clock::duration longest = std::chrono::microseconds(200);

  std::atomic<double> per_byte_{0};  // seconds
};

}  // namespace tightwire::runtime
