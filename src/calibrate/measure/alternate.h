// Timing: ways of doing the same thing in turn, in another order each round, so that whatever else
// happens on the machine meets all alike.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tightwire::calibrate {

// Medians over the samples. One sample's time is that of the slowest rank, from the moment that all
// have passed a barrier. Its bytes are those that all hosts sent.
struct Measurement {
  double seconds = 0;
  std::uint64_t wire_bytes = 0;
};

struct Effort {
  double seconds = 1;  // to spend on the point, about
  int fewest = 3;      // samples, even if they take longer
  int most = 200;
  int warm_ups = 2;  // rounds before the samples count, at least 1
};

// One of the ways.
struct Contender {
  std::function<void()> prepare;  // before each run, not timed
  std::function<void()> run;
  std::function<void()> settle = {};  // after each run, not timed
};

// One measurement for each contender of what moves `message_bytes`. All ranks call it; all get the
// same.
[[nodiscard]] std::vector<Measurement> alternate(std::span<const Contender> contenders,
                                                 std::size_t message_bytes, const Effort& effort);

}  // namespace tightwire::calibrate
