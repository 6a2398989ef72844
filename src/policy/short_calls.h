// Calls of one kind that are so short that hardly any network is slow enough for them: to find out
// whether their values shrink costs as much as many such calls take. So the ranks look first, now
// and then, how long the calls take that go to MPI. Pure; not thread safe; alike on all ranks.
#pragma once

#include <cstddef>

#include "policy/cost/schedule.h"

namespace tightwire::policy {

class ShortCalls {
 public:
  // So many on a communicator are not even timed: where there are few there is little to gain.
  static constexpr std::size_t first_left_alone = 100;

  // Whether the ranks have seen such calls take long enough.
  [[nodiscard]] bool are_worth_it() const { return worth_it_; }
  [[nodiscard]] bool look_due() const { return calls_left_ == 0; }
  // Whether the next look needs the time of a call made now.
  [[nodiscard]] bool is_timed() const { return calls_left_ <= timed; }
  // Every call until they are worth it, after the look.
  void count_call() { --calls_left_; }
  // After how many calls the ranks shall begin to time them again: those are for the caller to
  // leave alone, of all kinds at once, or else to skip().
  std::size_t end_look(bool worth_it);
  void skip(std::size_t calls) { calls_left_ += calls; }

 private:
  static constexpr std::size_t timed = 8;

  bool worth_it_ = false;
  std::size_t calls_left_ = timed;
  std::size_t pause_ = 64;
};

// Whether values that shrink well would gain in such a call, which took `raw_seconds` plain. If the
// network is not known, that says how fast it is.
[[nodiscard]] bool may_gain(const settings::Settings& settings, const Plan& plan,
                            codec::ElementType type, Facts facts, double raw_seconds);

}  // namespace tightwire::policy
