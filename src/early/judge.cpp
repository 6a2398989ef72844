#include "early/judge.h"

#include <algorithm>

namespace tightwire::early {
namespace {

// Sends after which a try is judged: the helper needs some to learn when a buffer is left alone.
constexpr unsigned length_of_try = 3;
constexpr unsigned longest_try = 12;
constexpr std::uint32_t longest_rest = 1U << 14;
// How much of the past counts.
constexpr double memory = 0.7;

}  // namespace

bool Judge::goes_on(const Outcome& outcome, bool help_may_come) {
  if (tries_ == 0) hid_anything_ = false;
  hid_anything_ = hid_anything_ || outcome.hidden_seconds > 0;
  balance_ = memory * balance_ + outcome.hidden_seconds - outcome.cost_seconds;
  if (always_ || ++tries_ < (help_may_come ? longest_try : length_of_try)) return true;
  if (balance_ > 0) {
    rest_ = 64;
    return true;
  }
  rest();
  return false;
}

void Judge::rest() {
  rest_left_ = rest_;
  rest_ = std::min(rest_ * 4, longest_rest);
  tries_ = 0;
  balance_ = 0;
}

}  // namespace tightwire::early
