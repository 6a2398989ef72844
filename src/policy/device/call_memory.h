// What is remembered of collectives that GPUs carry out: whether to try, what values came to, and
// how long such calls took on this rank.
//
// Times that are agreed on by all ranks make the ranks agree, not these. Not thread safe.
#pragma once

#include <algorithm>
#include <map>

#include "policy/device/trials.h"

namespace tightwire::policy {

// Of calls that are likely alike.
struct PastDeviceCalls {
  double fraction = 0;  // of the last one: size of frames / size of values; 0: nothing is known
  double seconds = 0;   // as quick as lately; 0: nothing is known
};

class DeviceCallMemory {
 public:
  using Kind = DeviceTrials::Kind;

  DeviceTrials trials;

  [[nodiscard]] PastDeviceCalls of(const Kind& kind) const {
    const auto found = past_.find(kind);
    return found == past_.end() ? PastDeviceCalls{} : found->second;
  }
  void note_fraction(const Kind& kind, double fraction) { past_[kind].fraction = fraction; }
  // What one waits for, late ranks and a busy GPU among it, counts by and by.
  void note_seconds(const Kind& kind, double took) {
    double& seconds = past_[kind].seconds;
    seconds = seconds == 0 ? took : std::min(took, seconds + (took - seconds) / 4);
  }
  // It was not worth it: the next trial counts by itself.
  void forget_seconds(const Kind& kind) { past_[kind].seconds = 0; }

 private:
  std::map<Kind, PastDeviceCalls> past_;
};

}  // namespace tightwire::policy
