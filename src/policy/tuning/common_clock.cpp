#include "policy/tuning/common_clock.h"

#include <algorithm>
#include <cmath>

namespace tightwire::policy {
namespace {

// Clocks that run apart by 50 microseconds a second are 25 off by then.
constexpr double between_alignments = 0.5;
// What offsets are off by counts for more the closer they are to each other.
constexpr double least_to_tell_drift = 0.1;
// Quartz is within 100 parts in a million, and time servers correct it by 500 at most.
constexpr double largest_drift = 1e-3;

}  // namespace

// Processes of one host read one clock: what can be told from none at all is none. Of two clocks it
// would be a rare chance.
ClockOffset offset_by(std::span<const ClockExchange> exchanges) {
  const auto time = [](const ClockExchange& one) { return one.heard - one.asked; };
  const ClockExchange& best = *std::ranges::min_element(exchanges, {}, time);
  const double middle = best.asked + time(best) / 2;
  const bool may_be_one = std::ranges::all_of(exchanges, [](const ClockExchange& one) {
    return one.asked <= one.answered && one.answered <= one.heard;
  });
  return {middle, may_be_one ? 0 : best.answered - middle, time(best) / 2};
}

void CommonClock::align(const ClockOffset& offset) {
  const double elapsed = offset.at - last_.at;
  if (is_aligned_ && elapsed >= least_to_tell_drift) {
    const double drift = (offset.ahead - last_.ahead) / elapsed;
    drift_ = std::abs(drift) <= largest_drift ? drift : 0;
  }
  last_ = offset;
  is_aligned_ = true;
}

double CommonClock::at(double own) const {
  if (!is_aligned_) return own;
  return own + last_.ahead + drift_ * (own - last_.at);
}

bool CommonClock::is_due(double own) const {
  return !is_aligned_ || own - last_.at >= between_alignments;
}

}  // namespace tightwire::policy
