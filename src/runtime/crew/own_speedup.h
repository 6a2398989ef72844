// How many times as fast the helpers of this rank let it code several pieces, by measurement.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>

#include "policy/tuning/coding_speedup.h"
#include "runtime/crew/crew.h"

namespace tightwire::runtime {

// Thread safe.
class OwnSpeedup {
 public:
  using Measure = double(std::size_t threads, const policy::WorkTogether& together);
  explicit OwnSpeedup(Measure* how = policy::measure_coding_speedup) : measure_(how) {}

  // Measured anew if that is due: so seldom that it takes next to nothing of the time. 1 if there
  // is no memory for it; as it was, until it is due again, if another call has the helpers.
  double measured(Crew& crew, const Crew::Limits& limits);
  // As it was last; 1: never.
  [[nodiscard]] double last() const { return last_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  // Nothing where another call had the helpers for a part of the time: that tells nothing of them.
  [[nodiscard]] std::optional<double> try_to_measure(Crew& crew, const Crew::Limits& limits) const;

  Measure* const measure_;
  std::atomic<double> last_{1};
  std::mutex measuring_;  // guards what follows
  Crew::Limits limits_;   // of the last time
  Clock::time_point next_{};
};

}  // namespace tightwire::runtime
