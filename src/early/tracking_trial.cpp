#include "early/tracking_trial.h"

#include <algorithm>

namespace tightwire::early {
namespace {

// Sends after which a try is judged: the helper needs some to learn when a buffer is left alone.
constexpr unsigned length_of_try = 3;
constexpr unsigned longest_try = 12;
constexpr std::uint32_t longest_backoff = 1U << 14;
// How much of the past counts.
constexpr double memory = 0.7;

}  // namespace

bool TrackingTrial::goes_on(const Outcome& outcome, bool help_may_come) {
  if (tries_ == 0) hid_anything_ = false;
  hid_anything_ = hid_anything_ || outcome.hidden_seconds > 0;
  balance_ = memory * balance_ + outcome.hidden_seconds - outcome.cost_seconds;
  if (always_ || ++tries_ < (help_may_come ? longest_try : length_of_try)) return true;
  if (balance_ > 0) {
    backoff_ = 64;
    return true;
  }
  back_off();
  return false;
}

void TrackingTrial::back_off() {
  backoff_left_ = backoff_;
  backoff_ = std::min(backoff_ * 4, longest_backoff);
  tries_ = 0;
  balance_ = 0;
}

}  // namespace tightwire::early
