// Whether calls of a kind are compressed where no rank can tell for all, since each knows only its
// own part of them. While no rank's messages become smaller, or compressed calls bring their bytes
// no faster than plain ones, the calls are passed to MPI unmodified, except for a trial now and
// then; every trial that gains nothing doubles the pause after it.
//
// All ranks make the same calls. In tuning rounds they agree on what they have seen since the last
// one. Pure; not thread safe.
#pragma once

#include <cstddef>
#include <optional>

#include "policy/call.h"
#include "policy/tuning/call_rates.h"
#include "policy/tuning/online_tuner.h"

namespace tightwire::policy {

class Backoff {
 public:
  // What the ranks have seen since the last round, alike on all.
  struct Seen {
    bool gained = false;  // any rank's messages became clearly smaller in any call
    // The last calls, of which bytes are those that the program gets.
    CallRates::Sum compressed;
    CallRates::Sum plain;
  };

  // What an earlier run has learned of such calls: it ended in a pause of so many.
  struct Experience {
    std::size_t pause = 0;  // 0: in none
    bool slower = false;    // it was one since compressed calls are slower
    bool operator==(const Experience&) const = default;
  };

  // `remembers`: messages may be predicted from earlier ones, which are seen in a trial only if it
  // takes as many calls as the senders need to learn from which. `compares`: times count.
  explicit Backoff(bool remembers = false, bool compares = false)
      : remembers_(remembers),
        compares_(compares),
        calls_left_(remembers ? calls_to_learn : first_calls) {}

  // To begin with, before the first call.
  void begin_with(const Experience& earlier);
  [[nodiscard]] Experience experience() const;

  // Before a call: whether the ranks have to hold a tuning round first.
  [[nodiscard]] bool round_due() const { return !paused_ && calls_left_ == 0; }
  // What this rank brings to a round: whether its messages became clearly smaller in any call.
  [[nodiscard]] bool has_gained() const { return gained_; }
  void end_round(const Seen& seen);

  // Not where plain calls are measured to be compared with.
  [[nodiscard]] bool is_paused() const { return paused_ && !comparing_; }
  // The same by what was seen in this run, for calls that are in no round and so end no pause.
  [[nodiscard]] bool is_seen_to_pause() const { return is_paused() && !is_remembered_; }
  // Why the calls of a pause are not compressed.
  [[nodiscard]] Reason why_plain() const {
    if (comparing_) return Reason::measuring;
    return slower_ ? Reason::too_slow : Reason::no_gain;
  }
  // Whether the call that began last is one of the last of a pause: what these take is the newest
  // that is known of the network when a trial begins.
  [[nodiscard]] bool is_before_trial() const { return paused_ && calls_left_ < last_of_pause; }

  // A call begins, after the round that was due: whether it is compressed.
  [[nodiscard]] bool begin_call();
  // After a compressed call: the size of this rank's messages, and of their frames.
  void note(std::size_t values, std::size_t frames);

 private:
  static constexpr double least_ratio = 1.05;
  static constexpr std::size_t first_calls = 2;  // buffers may be cold or still empty
  static constexpr std::size_t shortest = 32;    // calls of a pause, or between rounds
  static constexpr std::size_t longest_pause = 1024;
  static constexpr std::size_t last_of_pause = 4;
  static constexpr std::size_t trial_to_compare = 4;
  static constexpr double least_speedup = 1.02;
  // Below, one measurement of plain calls is not enough.
  static constexpr double clear_speedup = 1.25;
  static constexpr double alike = 1.25;
  static constexpr std::size_t longest_use = 256;
  static constexpr std::size_t pause_to_learn = 512;  // after one as long; then they are few

  void pause();
  void pause_to_compare();
  void go_on();
  // Of compressed calls over the plain ones measured last; nothing where that cannot be told.
  [[nodiscard]] std::optional<double> speedup_of(const CallRates::Sum& compressed) const;

  bool remembers_;
  bool compares_;
  CallRates::Sum plain_;  // as measured last
  bool slower_ = false;
  bool paused_ = false;
  bool is_remembered_ = false;  // of an earlier run
  bool comparing_ = false;      // only to measure plain calls
  bool compared_ = false;       // they have been measured since the last use began
  bool gained_ = false;
  std::size_t calls_left_;
  std::size_t next_pause_ = shortest;
  std::size_t next_use_ = shortest;
};

}  // namespace tightwire::policy
