// How many times as fast the helpers of this rank let it code several pieces, by measurement.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>

#include "runtime/crew/crew.h"

namespace tightwire::runtime {

// Thread safe.
class OwnSpeedup {
 public:
  // Measured anew if that is due: so seldom that it takes next to nothing of the time. 1 if there
  // is no memory for it.
  double measured(Crew& crew, const Crew::Limits& limits);
  // As it was last; 1: never.
  [[nodiscard]] double last() const { return last_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  std::atomic<double> last_{1};
  std::mutex measuring_;  // guards what follows
  Crew::Limits limits_;   // of the last time
  Clock::time_point next_{};
};

}  // namespace tightwire::runtime
