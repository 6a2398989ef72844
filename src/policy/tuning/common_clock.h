// A clock that processes share, made of each one's own: what a clock elsewhere is ahead, and how
// much more by the second. Clocks of hosts differ by any amount, and run apart by some microseconds
// a second. Pure; not thread safe.
#pragma once

#include <optional>
#include <span>

namespace tightwire::policy {

// A question to another process and its answer, in seconds.
struct ClockExchange {
  double asked = 0;     // on the own clock
  double answered = 0;  // on the other one
  double heard = 0;     // on the own clock
};

// Of the exchange that took the shortest time: the two ways of that were the most alike.
// `exchanges` is not empty.
struct ClockOffset {
  double at = 0;       // on the own clock
  double ahead = 0;    // the other clock, seconds
  double one_way = 0;  // half the time of the exchange: what the above may err at most
};
[[nodiscard]] ClockOffset offset_by(std::span<const ClockExchange> exchanges);

class CommonClock {
 public:
  void align(const ClockOffset& offset);

  // A time of the own clock on the common one. Before the first alignment, as it is.
  [[nodiscard]] double at(double own) const;
  [[nodiscard]] bool is_aligned() const { return is_aligned_; }
  // Whether it has been aligned so long ago, or never, that it should be again.
  [[nodiscard]] bool is_due(double own) const;

 private:
  ClockOffset last_;
  bool is_aligned_ = false;
  double drift_ = 0;  // seconds a second
};

}  // namespace tightwire::policy
