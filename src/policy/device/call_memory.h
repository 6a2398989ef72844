// What is remembered of collectives that GPUs may carry out: whether to try, what values came to,
// and how long such calls took on this rank, there and by the way of the host.
//
// All but the times and fractions is alike on ranks that note the same calls. Not thread safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>

#include "policy/device/trials.h"

namespace tightwire::policy {

// Of calls that are likely alike. What is 0 is not known.
struct PastDeviceCalls {
  double fraction = 0;      // of the last one: size of frames / size of values
  double seconds = 0;       // as quick as lately
  double host_seconds = 0;  // the same of those by the way of the host
  unsigned calls = 0;
  unsigned host_calls = 0;
};

class DeviceCallMemory {
 public:
  using Kind = DeviceTrials::Kind;

  [[nodiscard]] PastDeviceCalls of(const Kind& kind) const {
    const auto found = past_.find(kind);
    return found == past_.end() ? PastDeviceCalls{} : found->second;
  }
  // The way of the host goes first, until it has learned what it can; and again now and then.
  [[nodiscard]] bool is_hosts_turn(const Kind& kind) const {
    const PastDeviceCalls past = of(kind);
    return past.host_calls < to_learn || past.calls % usual == usual - 1;
  }

  // A call begins: whether the ranks are to ask each other. `by_times`: what such calls took
  // counts.
  [[nodiscard]] bool begin(const Kind& kind, bool by_times) {
    return !(by_times && is_hosts_turn(kind)) && trials_.begin(kind);
  }
  // It can be done there. Whether it is, by what the last ones took, where these count: the longest
  // of all ranks' `seconds` and `host_seconds`.
  [[nodiscard]] bool is_worth(const Kind& kind, bool by_times, double seconds,
                              double host_seconds) {
    if (by_times && seconds > host_seconds) {
      give_up(kind);
      return false;
    }
    // How long it takes has to show first.
    if (!by_times || seconds != 0) trials_.end(kind, true);
    return true;
  }
  // It cannot be done there; or it is not worth it, and the next trial counts by itself.
  void refuse(const Kind& kind) { trials_.end(kind, false); }
  void give_up(const Kind& kind) {
    past_[kind].seconds = 0;
    refuse(kind);
  }

  void note_fraction(const Kind& kind, double fraction) { past_[kind].fraction = fraction; }
  void note_call(const Kind& kind, double took) {
    PastDeviceCalls& past = entry(kind);
    follow(past.seconds, took);
    ++past.calls;
  }
  void note_host_call(const Kind& kind, double took) {
    PastDeviceCalls& past = entry(kind);
    follow(past.host_seconds, took);
    ++past.host_calls;
    past.calls += past.calls % usual == usual - 1;
  }

 private:
  static constexpr unsigned to_learn = 8;
  static constexpr unsigned usual = 256;
  // A program has few kinds; of one that has many, what was known is forgotten now and then.
  static constexpr std::size_t most_kinds = 4096;

  PastDeviceCalls& entry(const Kind& kind) {
    if (past_.size() >= most_kinds && !past_.contains(kind)) past_.clear();
    return past_[kind];
  }

  // What one waits for, late ranks and a busy GPU among it, counts by and by.
  static void follow(double& seconds, double took) {
    seconds = seconds == 0 ? took : std::min(took, seconds + (took - seconds) / 4);
  }

  DeviceTrials trials_;
  std::map<Kind, PastDeviceCalls> past_;
};

}  // namespace tightwire::policy
