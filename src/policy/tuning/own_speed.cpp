#include "policy/tuning/own_speed.h"

#include <algorithm>

namespace tightwire::policy {
namespace {

// Beyond, something else is measured: a fault of the clock, a machine that does not run.
constexpr double least = 0.25;
constexpr double most = 4;

}  // namespace

void OwnSpeed::add(double expected, double took) {
  last_[count_++ % kept] = took / expected;
  if (count_ % kept != 0) return;
  std::array<double, kept> sorted = last_;
  std::ranges::sort(sorted);
  factor_ = std::clamp(sorted[kept / 4], least, most);
  usual_factor_ = std::clamp(sorted[kept / 2], least, most);
}

}  // namespace tightwire::policy
