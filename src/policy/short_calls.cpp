#include "policy/short_calls.h"

#include <algorithm>
#include <utility>

#include "policy/cost/bandwidth.h"

namespace tightwire::policy {

std::size_t ShortCalls::end_look(bool worth_it) {
  constexpr std::size_t longest_pause = 4096;
  worth_it_ = worth_it;
  calls_left_ = timed;
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
