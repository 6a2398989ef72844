// Whether calls of a kind are compressed where no rank can tell for all, since each knows only its
// own part of them. While no rank's messages become smaller, the calls are passed to MPI
// unmodified, except for a trial now and then; every trial that gains nothing doubles the pause
// after it.
//
// All ranks make the same calls. In tuning rounds they agree on what they have seen since the last
// one. Pure; not thread safe.
#pragma once

#include <cstddef>

#include "policy/tuning/online_tuner.h"

namespace tightwire::policy {

class Backoff {
 public:
  // `remembers`: messages may be predicted from earlier ones, which are seen in a trial only if it
  // takes as many calls as the senders need to learn from which.
  explicit Backoff(bool remembers = false)
      : remembers_(remembers), calls_left_(remembers ? calls_to_learn : first_calls) {}

  // Before a call: whether the ranks have to hold a tuning round first.
  [[nodiscard]] bool round_due() const { return !paused_ && calls_left_ == 0; }
  // What this rank brings to a round: whether its messages became clearly smaller in any call.
  [[nodiscard]] bool has_gained() const { return gained_; }
  void end_round(bool any_rank_has_gained);

  [[nodiscard]] bool is_paused() const { return paused_; }
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
  static constexpr std::size_t longest_use = 256;
  static constexpr std::size_t pause_to_learn = 512;  // after one as long; then they are few

  bool remembers_;
  bool paused_ = false;
  bool gained_ = false;
  std::size_t calls_left_;
  std::size_t next_pause_ = shortest;
  std::size_t next_use_ = shortest;
};

}  // namespace tightwire::policy
