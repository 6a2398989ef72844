#include "policy/short_calls.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "policy/cost/bandwidth.h"

namespace tightwire::policy {
namespace {

// Of which what it costs to find out, half a millisecond to one over TCP, is a fiftieth.
constexpr double enough_seconds = 50e-3;
constexpr double most_calls = 4096;
// Calls until the next look while the ranks wait for them.
constexpr std::size_t times_as_many = 8;

std::size_t calls_that_take(double seconds, double one) {
  return static_cast<std::size_t>(std::clamp(std::ceil(seconds / one), 1.0, most_calls));
}

}  // namespace

std::size_t ShortCalls::end_look(bool may_gain, double seconds) {
  constexpr std::size_t longest_pause = 4096;
  may_gain_ = may_gain;
  if (may_gain) {
    enough_ = calls_that_take(enough_seconds, seconds);
    const std::size_t next = std::min(enough_, times_as_many * calls_);
    calls_left_ = next - std::min(calls_, next);
    return 0;
  }
  calls_left_ = timed;
  calls_ += pause_;
  return std::exchange(pause_, std::min(2 * pause_, longest_pause));
}

bool may_gain(const settings::Settings& settings, const Plan& plan, codec::ElementType type,
              Facts facts, double raw_seconds) {
  constexpr double hoped_ratio = 4;
  if (!facts.network.known()) facts.network.bandwidth = bandwidth_by(facts, raw_seconds);
  const Speeds speeds = speeds_of(plan.codec, type, hoped_ratio);
  return schedule(settings, plan, facts, speeds).seconds < gain_to_start * raw_seconds;
}

}  // namespace tightwire::policy
