// Whether tracking pays for one buffer: by what it has hidden and cost there.
//
// Pure; a try of a few sends, then tracking for as long as it pays, else a rest that doubles with
// every try that failed.
#pragma once

#include <cstdint>

namespace tightwire::early {

// Of one send.
struct Outcome {
  double hidden_seconds = 0;  // work that the send did not have to do
  double cost_seconds = 0;    // faults before it, bookkeeping during it
};

class Judge {
 public:
  // `always`: tracks whatever comes of it.
  explicit Judge(bool always) : always_(always) {}

  // Before a send: whether the buffer is to be tracked from here on.
  [[nodiscard]] bool wants_tracking() const { return rest_left_ == 0; }

  // After a send of a tracked buffer. False: tracking is to end. `help_may_come`: a helper has only
  // begun to look for a core, so that a try takes longer.
  [[nodiscard]] bool goes_on(const Outcome& outcome, bool help_may_come);

  // Whether the last try hid anything: other means of tracking may cost less, yet none hide more.
  [[nodiscard]] bool hid_anything() const { return hid_anything_; }

  // The buffer cannot be tracked: nothing is tried for a while.
  void rest();
  // Another try at once, with other means.
  void try_again() { rest_left_ = 0; }

  // After a send of a buffer that rests.
  void note_untracked() {
    if (rest_left_ > 0) --rest_left_;
  }

 private:
  bool always_;
  bool hid_anything_ = false;
  double balance_ = 0;
  unsigned tries_ = 0;
  std::uint32_t rest_ = 64;
  std::uint32_t rest_left_ = 0;
};

}  // namespace tightwire::early
