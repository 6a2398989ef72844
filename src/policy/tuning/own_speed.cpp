#include "policy/tuning/own_speed.h"

#include <algorithm>
#include <span>

namespace tightwire::policy {
namespace {

// Beyond, something else is measured: a fault of the clock, a machine that does not run. Kernels
// that were compiled without vectors take five times as long, on a slow core more.
constexpr double least = 0.25;
constexpr double most = 32;

}  // namespace

void OwnSpeed::add(double expected, double took) {
  last_[count_++ % kept] = took / expected;
  if (count_ % kept != 0 && count_ != first_known) return;
  std::array<double, kept> sorted = last_;
  const auto known = std::span(sorted).first(std::min(count_, kept));
  std::ranges::sort(known);
  // The first ones meet memory that was never touched: that they took long says little.
  const double largest = count_ == first_known ? 1 : most;
  factor_ = std::clamp(known[known.size() / 4], least, largest);
  usual_factor_ = std::clamp(known[known.size() / 2], least, largest);
}

}  // namespace tightwire::policy
