#include "policy/tuning/messages/message_pace.h"

#include <algorithm>
#include <span>

#include "policy/tuning/median.h"

namespace tightwire::policy {
namespace {

constexpr double clearly = 0.97;

}  // namespace

void MessagePace::sent(double now, bool core_is_shared) {
  last_ = now;
  ++messages_;
  shared_ += core_is_shared ? 1 : 0;
}

void MessagePace::end_of(std::optional<bool> encoded) {
  if (messages_ == 0) return;
  cores_are_short_ = 2 * shared_ > messages_;
  if (encoded && begin_ > 0) {
    Stretches& stretches = *encoded ? encoded_ : unmodified_;
    stretches.add((last_ - begin_) / messages_, messages_);
  }
  begin_ = last_;
  messages_ = 0;
  shared_ = 0;
}

std::optional<bool> MessagePace::encoding_is_quicker() const {
  if (!encoded_.are_enough() || !unmodified_.are_enough()) return std::nullopt;
  return encoded_.median() < clearly * unmodified_.median();
}

void MessagePace::Stretches::add(double seconds_each, std::uint32_t messages) {
  seconds_[count_++ % kept] = seconds_each;
  messages_ = std::min(messages_ + messages, enough);
}

double MessagePace::Stretches::median() const {
  std::array<double, kept> sorted = seconds_;
  return policy::median(std::span(sorted).first(std::min(count_, kept)));
}

}  // namespace tightwire::policy
