// Looks into MPI for what has left or come, with pauses where they have become dear: Open MPI goes
// over all that waits for a late receiver whenever it is asked for anything that is not there yet.
// So what a send costs would grow with what has been sent before.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

namespace tightwire::p2p {

struct PacedLookClocks {
  using Duration = std::chrono::nanoseconds;
  static Duration elapsed() { return std::chrono::steady_clock::now().time_since_epoch(); }
  // Of this thread: MPI may have let others run meanwhile, which is not what a look costs.
  static Duration processor() {
    std::timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }
};

// Not thread safe.
template <class Clocks = PacedLookClocks>
class PacedLook {
 public:
  using Duration = std::chrono::nanoseconds;
  static constexpr Duration cheap = std::chrono::microseconds(2);
  // A look takes at most such a part of the time.
  static constexpr int share = 16;
  static constexpr Duration longest = std::chrono::milliseconds(50);

  // Runs `look`, unless it is too early for that. Whether it has.
  template <class Look>
  bool operator()(Look&& look) {
    if (!begin()) return false;
    look();
    end();
    return true;
  }

  // Around a look: whether it is time for one; and its end, if it was.
  [[nodiscard]] bool begin() {
    start_ = Clocks::elapsed();
    if (start_ < next_) return false;
    // To ask for it takes longer than a look that is cheap.
    if (may_be_dear_) processor_start_ = Clocks::processor();
    return true;
  }
  void end() {
    const Duration now = Clocks::elapsed();
    const bool is_measured = may_be_dear_;
    may_be_dear_ = now - start_ > cheap;
    if (!may_be_dear_ || !is_measured) return;
    const Duration taken = Clocks::processor() - processor_start_;
    if (taken > cheap) next_ = now + std::min<Duration>(taken * share, longest);
  }

 private:
  Duration start_{};
  Duration processor_start_{};
  Duration next_{};
  bool may_be_dear_ = false;
};

}  // namespace tightwire::p2p
