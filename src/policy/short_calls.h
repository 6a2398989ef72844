// Calls of one kind that are so short that to find out whether their values shrink, and whether
// compressing is quicker then, costs as much as many such calls take. So the ranks look first, now
// and then, how long the calls take that go to MPI, and find out once that costs little of what all
// of them took. Pure; not thread safe; alike on all ranks.
#pragma once

#include <cstddef>

#include "policy/cost/schedule.h"

namespace tightwire::policy {

class ShortCalls {
 public:
  // So many on a communicator of those that hardly any network is slow enough for are not even
  // timed: where there are few there is little to gain.
  static constexpr std::size_t first_left_alone = 100;
  // Larger ones take long enough.
  static constexpr std::size_t too_large = std::size_t{1} << 20;

  // `first_look`: after so many calls, of which the first may set up connections.
  explicit ShortCalls(std::size_t first_look = timed) : calls_left_(first_look) {}

  // Whether the ranks have seen such calls take long enough, one and all.
  [[nodiscard]] bool are_worth_it() const { return may_gain_ && calls_ >= enough_; }
  // Whether they will be once there are more of them, as far as is known.
  [[nodiscard]] bool may_gain() const { return may_gain_; }
  [[nodiscard]] bool look_due() const { return calls_left_ == 0; }
  // Whether the next look needs the time of a call made now.
  [[nodiscard]] bool is_timed() const { return calls_left_ <= timed; }
  // Every call until they are worth it, after the look.
  void count_call() {
    --calls_left_;
    ++calls_;
  }
  // One call takes so long, as far as that is seen: the first ones may pass in buffers, so the next
  // look is not far. If none can gain: after how many calls the ranks shall begin to time
  // them again. Those are for the caller to leave alone, of all kinds at once, or else to skip().
  std::size_t end_look(bool may_gain, double seconds);
  void skip(std::size_t calls) { calls_left_ += calls; }
  // By an earlier run.
  void begin_worth_it() {
    may_gain_ = true;
    enough_ = 0;
  }

 private:
  static constexpr std::size_t timed = 8;

  bool may_gain_ = false;
  std::size_t enough_ = 0;  // calls, where they may gain
  std::size_t calls_ = 0;
  std::size_t calls_left_;  // to the next look
  std::size_t pause_ = 64;
};

// Whether values that shrink well would gain in such a call, which took `raw_seconds` plain. If the
// network is not known, that says how fast it is.
[[nodiscard]] bool may_gain(const settings::Settings& settings, const Plan& plan,
                            codec::ElementType type, Facts facts, double raw_seconds);

}  // namespace tightwire::policy
