#include "policy/tuning/backoff.h"

#include <algorithm>
#include <utility>

namespace tightwire::policy {

void Backoff::begin_with(const Experience& earlier) {
  if (earlier.pause == 0) return;
  slower_ = earlier.slower;
  is_remembered_ = true;
  next_pause_ = std::clamp(earlier.pause, shortest, longest_pause);
  pause();
}

Backoff::Experience Backoff::experience() const {
  if (!is_paused()) return {};
  // The next one is twice as long, but for the longest.
  return {.pause = next_pause_ / 2, .slower = slower_};
}

void Backoff::end_round(const Seen& seen) {
  gained_ = false;
  is_remembered_ = false;
  if (seen.plain.calls > 0) plain_ = seen.plain;
  const std::optional<double> speedup = speedup_of(seen.compressed);
  slower_ = seen.gained && speedup && *speedup < least_speedup;
  if (!seen.gained || slower_) return pause();
  const bool is_clear = speedup && *speedup >= clear_speedup;
  if (compares_ && !is_clear && !compared_) return pause_to_compare();
  go_on();
}

// Calls that bring other amounts are other calls.
std::optional<double> Backoff::speedup_of(const CallRates::Sum& compressed) const {
  if (compressed.calls == 0 || plain_.calls == 0) return std::nullopt;
  const auto bytes_of_a_call = [](const CallRates::Sum& sum) {
    return sum.bytes / static_cast<double>(sum.calls);
  };
  const double more = bytes_of_a_call(compressed) / bytes_of_a_call(plain_);
  if (more > alike || more < 1 / alike) return std::nullopt;
  return (compressed.bytes / compressed.seconds) / (plain_.bytes / plain_.seconds);
}

void Backoff::pause() {
  paused_ = true;
  compared_ = true;
  calls_left_ = next_pause_;
  next_pause_ = std::min(2 * next_pause_, longest_pause);
  next_use_ = shortest;
}

void Backoff::pause_to_compare() {
  paused_ = true;
  comparing_ = true;
  compared_ = true;
  calls_left_ = last_of_pause;
}

void Backoff::go_on() {
  compared_ = false;
  calls_left_ = next_use_;
  next_use_ = std::min(2 * next_use_, longest_use);
  next_pause_ = shortest;
}

bool Backoff::begin_call() {
  if (paused_ && calls_left_ == 0) {
    const bool compares = std::exchange(comparing_, false);
    paused_ = false;
    // The pause that is over was half as long as the next one, or as long as any.
    const bool learns = remembers_ && next_pause_ > pause_to_learn;
    calls_left_ = learns ? calls_to_learn : compares ? trial_to_compare : 1;
  }
  --calls_left_;
  return !paused_;
}

void Backoff::note(std::size_t values, std::size_t frames) {
  const double worth = least_ratio * static_cast<double>(frames);
  gained_ = gained_ || (frames > 0 && static_cast<double>(values) >= worth);
}

}  // namespace tightwire::policy
