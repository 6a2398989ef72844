// How fast the network is, by the last plain calls of an operation of which each rank knows its own
// part alone: what came to the rank that got the most, in the time from when the last rank began
// the call to when the last one ended it. Waiting for late ranks counts for nothing. Pure; not
// thread safe.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "policy/tuning/common_clock.h"

namespace tightwire::policy {

class CallRates {
 public:
  static constexpr std::size_t kept = 4;
  static constexpr std::size_t numbers = 3 * kept;
  // Of fewer that came, latency would be measured.
  static constexpr std::size_t enough_bytes = std::size_t{32} << 10;

  // Of every call, on every rank; seconds on the own clock. One that does not end, as where an
  // error handler leaves it, counts by the other ranks' times.
  void begin_call(double begin) noexcept;
  // `arrived`: bytes that came to this rank by the network.
  void end_call(double end, std::size_t arrived) noexcept;
  void clear() { *this = {}; }

  // What this rank brings to a round. Of each number the largest of all ranks counts.
  [[nodiscard]] std::array<double, numbers> told(const CommonClock& clock) const;
  // Of the calls that tell more than latency, as below; `calls` is 0 if there is none.
  struct Sum {
    std::size_t calls = 0;
    double bytes = 0;
    double seconds = 0;
  };
  [[nodiscard]] static Sum sum(std::span<const double, numbers> agreed, double latency = 0);
  // Bytes per second, the median of the calls. Nothing where clocks were not aligned, or too little
  // came to tell anything but latency: fewer bytes than that, or in hardly more than the latency of
  // the network, as far as that is known.
  [[nodiscard]] static std::optional<double> rate(std::span<const double, numbers> agreed,
                                                  double latency = 0);

 private:
  // Those that tell anything but latency.
  template <class Visit>
  static void for_each(std::span<const double, numbers> agreed, double latency, Visit visit);

  struct Call {
    double begin = 0;
    double end = 0;
    double arrived = 0;
  };

  std::array<Call, kept> last_{};
  std::size_t calls_ = 0;
};

}  // namespace tightwire::policy
