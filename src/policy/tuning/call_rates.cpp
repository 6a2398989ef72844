#include "policy/tuning/call_rates.h"

#include <algorithm>

#include "policy/tuning/median.h"

namespace tightwire::policy {
namespace {

constexpr double not_known = -1e300;
constexpr double least_seconds = 1e-9;
// Clocks are aligned to half a latency.
constexpr double latencies_to_tell = 4;

}  // namespace

void CallRates::begin_call(double begin) noexcept {
  last_[calls_++ % kept] = {begin, begin, 0};
}

void CallRates::end_call(double end, std::size_t arrived) noexcept {
  Call& call = last_[(calls_ - 1) % kept];
  call.end = end;
  call.arrived = static_cast<double>(arrived);
}

std::array<double, CallRates::numbers> CallRates::told(const CommonClock& clock) const {
  std::array<double, numbers> told{};
  told.fill(not_known);
  if (!clock.is_aligned()) return told;
  for (std::size_t i = 0; i < std::min(calls_, kept); ++i) {
    told[i] = clock.at(last_[i].begin);
    told[kept + i] = clock.at(last_[i].end);
    told[2 * kept + i] = last_[i].arrived;
  }
  return told;
}

template <class Visit>
void CallRates::for_each(std::span<const double, numbers> agreed, double latency, Visit visit) {
  for (std::size_t i = 0; i < kept; ++i) {
    const double seconds = std::max(agreed[kept + i] - agreed[i], least_seconds);
    const double arrived = agreed[2 * kept + i];
    if (seconds >= latencies_to_tell * latency && arrived >= enough_bytes) visit(arrived, seconds);
  }
}

CallRates::Sum CallRates::sum(std::span<const double, numbers> agreed, double latency) {
  Sum sum;
  for_each(agreed, latency, [&](double arrived, double seconds) {
    ++sum.calls;
    sum.bytes += arrived;
    sum.seconds += seconds;
  });
  return sum;
}

std::optional<double> CallRates::rate(std::span<const double, numbers> agreed, double latency) {
  std::array<double, kept> seconds_per_byte{};
  std::size_t known = 0;
  for_each(agreed, latency,
           [&](double arrived, double seconds) { seconds_per_byte[known++] = seconds / arrived; });
  if (known == 0) return std::nullopt;
  return 1 / median(std::span(seconds_per_byte).first(known));
}

}  // namespace tightwire::policy
