// What the program waits for: for how long it has, and how much at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

namespace tightwire::p2p {

// A message, as long as the program waits for it. Thread safe.
class AskedFor {
 public:
  AskedFor() { waiting_.fetch_add(1, std::memory_order_relaxed); }
  ~AskedFor() { waiting_.fetch_sub(1, std::memory_order_relaxed); }
  AskedFor(const AskedFor&) = delete;
  AskedFor& operator=(const AskedFor&) = delete;

  [[nodiscard]] std::chrono::steady_clock::time_point since() const { return since_; }
  // How many others all threads wait for.
  [[nodiscard]] std::size_t others() const { return waiting_.load(std::memory_order_relaxed) - 1; }

 private:
  static inline std::atomic<std::size_t> waiting_{0};

  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

}  // namespace tightwire::p2p
