// From measured times to the message sizes from which each tier pays. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

namespace tightwire::calibrate {

// What was measured for one size of message, in seconds.
struct Times {
  std::uint64_t bytes = 0;
  double raw = 0;
  double exact = 0;
  double bounded = 0;
  double pipelined = 0;
};

struct Thresholds {
  std::uint64_t exact = 0;      // T1
  std::uint64_t bounded = 0;    // T2
  std::uint64_t pipelined = 0;  // T3; not below T2
};

// A tier pays from the smallest measured size from which it beats, for all larger sizes too, what
// the call would get without it; settings::Bytes::never where it does not. To beat is to take at
// least 2 % less time, so that noise between equals decides nothing; and one lone size that stands
// out from both its neighbours does not count (median of three).
[[nodiscard]] Thresholds find_thresholds(const std::vector<Times>& times);

}  // namespace tightwire::calibrate
