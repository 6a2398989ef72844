#include "policy/tuning/backoff.h"

#include <algorithm>

namespace tightwire::policy {

void Backoff::review(bool any_rank_has_gained) {
  gained_ = false;
  resting_ = !any_rank_has_gained;
  if (resting_) {
    calls_left_ = rest_;
    rest_ = std::min(2 * rest_, longest_rest);
    work_ = shortest;
  } else {
    calls_left_ = work_;
    work_ = std::min(2 * work_, longest_work);
    rest_ = shortest;
  }
}

bool Backoff::begin_call() {
  if (resting_ && calls_left_ == 0) {
    resting_ = false;
    calls_left_ = 1;
  }
  --calls_left_;
  return !resting_;
}

void Backoff::note(std::size_t values, std::size_t frames) {
  const double worth = least_ratio * static_cast<double>(frames);
  gained_ = gained_ || (frames > 0 && static_cast<double>(values) >= worth);
}

}  // namespace tightwire::policy
