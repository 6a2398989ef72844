// Whether tracking is profitable for one buffer: by what it has hidden and cost there.
//
// Pure. A trial takes a few sends; then the buffer is tracked for as long as that is profitable, or
// left alone for some time, which grows fourfold with every trial that failed (a backoff).
#pragma once

#include <cstdint>

namespace tightwire::early {

// Of one send.
struct Outcome {
  double hidden_seconds = 0;  // work that the send did not have to do
  double cost_seconds = 0;    // faults before it, bookkeeping during it
};

class TrackingTrial {
 public:
  // `always`: tracks whatever comes of it.
  explicit TrackingTrial(bool always) : always_(always) {}

  // Before a send: whether the buffer is to be tracked from here on.
  [[nodiscard]] bool wants_tracking() const { return backoff_left_ == 0; }

  // After a send of a tracked buffer. False: tracking is to end. `help_may_come`: the
  // encoder has only begun to look for a core, so that a trial takes longer.
  [[nodiscard]] bool goes_on(const Outcome& outcome, bool help_may_come);

  // Whether the last try hid anything: other means of tracking may cost less, yet none hide more.
  [[nodiscard]] bool hid_anything() const { return hid_anything_; }

  // The buffer cannot be tracked: nothing is tried for a while.
  void back_off();
  // Another try at once, with other means.
  void try_again() { backoff_left_ = 0; }

  // After a send of a buffer that is left alone.
  void note_untracked() {
    if (backoff_left_ > 0) --backoff_left_;
  }

 private:
  bool always_;
  bool hid_anything_ = false;
  double balance_ = 0;
  unsigned tries_ = 0;
  std::uint32_t backoff_ = 64;
  std::uint32_t backoff_left_ = 0;
};

}  // namespace tightwire::early
