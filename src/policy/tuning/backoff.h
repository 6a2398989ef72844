// Whether calls of a kind that no rank can judge for all, since each knows only its own part of
// them, are worth taking apart: while no rank makes any message smaller, calls rest, which is to
// say that they go to MPI as they came, but for a trial now and then.
//
// All ranks go through the same calls, and agree at reviews on what they have seen since the last
// one. Pure; not thread safe.
#pragma once

#include <cstddef>

namespace tightwire::policy {

class Backoff {
 public:
  // Before a call: whether the ranks have to agree first.
  [[nodiscard]] bool review_due() const { return !resting_ && calls_left_ == 0; }
  // What this rank brings to a review: whether its messages became clearly smaller in any call.
  [[nodiscard]] bool has_gained() const { return gained_; }
  void review(bool any_rank_has_gained);

  // A call begins, after the review that was due: whether it is taken apart.
  [[nodiscard]] bool begin_call();
  // Of a call that was taken apart: the size of this rank's messages, and of their frames.
  void note(std::size_t values, std::size_t frames);

 private:
  static constexpr double least_ratio = 1.05;
  static constexpr std::size_t first_calls = 2;  // buffers may be cold or still empty
  static constexpr std::size_t shortest = 32;    // calls of a rest, or between reviews
  static constexpr std::size_t longest_rest = 1024;
  static constexpr std::size_t longest_work = 256;

  bool resting_ = false;
  bool gained_ = false;
  std::size_t calls_left_ = first_calls;
  std::size_t rest_ = shortest;
  std::size_t work_ = shortest;
};

}  // namespace tightwire::policy
