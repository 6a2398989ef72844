// Looks into MPI for what has left or come, with pauses where they have become dear: Open MPI goes
// over all that waits for a late receiver whenever it is asked for anything that is not there yet.
// So what a send costs would grow with what has been sent before.
#pragma once

#include <algorithm>
#include <chrono>

namespace tightwire::p2p {

// Not thread safe.
template <class Clock = std::chrono::steady_clock>
class PacedLook {
 public:
  using Duration = typename Clock::duration;
  static constexpr Duration cheap = std::chrono::microseconds(2);
  // A look takes at most such a part of the time.
  static constexpr int share = 16;
  // One that was interrupted took long, but may not be dear.
  static constexpr Duration longest = std::chrono::milliseconds(50);

  // Runs `look`, unless it is too early for that.
  template <class Look>
  void operator()(Look&& look) {
    if (!begin()) return;
    look();
    end();
  }

  // Around a look: whether it is time for one; and its end, if it was.
  [[nodiscard]] bool begin() {
    start_ = Clock::now();
    return start_ >= next_;
  }
  void end() {
    const auto now = Clock::now();
    const Duration taken = now - start_;
    if (taken > cheap) next_ = now + std::min<Duration>(taken * share, longest);
  }

 private:
  typename Clock::time_point start_{};
  typename Clock::time_point next_{};
};

}  // namespace tightwire::p2p
