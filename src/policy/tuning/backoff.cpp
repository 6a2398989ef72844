#include "policy/tuning/backoff.h"

#include <algorithm>

namespace tightwire::policy {

void Backoff::end_round(bool any_rank_has_gained) {
  gained_ = false;
  paused_ = !any_rank_has_gained;
  if (paused_) {
    calls_left_ = next_pause_;
    next_pause_ = std::min(2 * next_pause_, longest_pause);
    next_use_ = shortest;
  } else {
    calls_left_ = next_use_;
    next_use_ = std::min(2 * next_use_, longest_use);
    next_pause_ = shortest;
  }
}

bool Backoff::begin_call() {
  if (paused_ && calls_left_ == 0) {
    paused_ = false;
    // The pause that is over was half as long as the next one, or as long as any.
    const bool learns = remembers_ && next_pause_ > pause_to_learn;
    calls_left_ = learns ? calls_to_learn : 1;
  }
  --calls_left_;
  return !paused_;
}

void Backoff::note(std::size_t values, std::size_t frames) {
  const double worth = least_ratio * static_cast<double>(frames);
  gained_ = gained_ || (frames > 0 && static_cast<double>(values) >= worth);
}

}  // namespace tightwire::policy
