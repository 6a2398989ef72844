#include "codec/fill/tails.h"

#include <algorithm>
#include <cmath>

namespace tightwire::codec {

void Tail::add(double value) {
  if (value < last()) return;
  std::size_t at = 0;
  while (value < ends_[at].value) ++at;
  if (value != ends_[at].value) {
    std::shift_right(ends_.begin() + static_cast<std::ptrdiff_t>(at), ends_.end(), 1);
    ends_[at] = {value, 0};
  }
  ++ends_[at].times;
}

void Tail::forget_times() {
  for (End& end : ends_) end.times = 0;
}

bool Tail::is_apart(std::size_t count, double width) const {
  if (count == 0) return true;
  return repeats(count - 1) && value(count - 1) - value(count) > fill_apart * width;
}

void Tails::add(double value) {
  high_.add(value);
  low_.add(-value);
}

void Tails::forget_times() {
  high_.forget_times();
  low_.forget_times();
}

Extent Tails::between(std::size_t high, std::size_t low) const {
  return {-low_.value(low), high_.value(high)};
}

bool Tails::are_fills(std::size_t high, std::size_t low, double error_bound) const {
  const Extent others = between(high, low);
  if (!others.finite() || others.smallest > others.largest) return false;
  double width = others.width();
  if (width == 0) {
    // A constant is as wide as it is far from zero. Of a few numbers any might be the constant.
    if (high > 1 || low > 1) return false;
    width = std::abs(others.largest);
  }
  width = std::max(width, 2 * error_bound);
  return high_.is_apart(high, width) && low_.is_apart(low, width);
}

FillValues Tails::outside(std::size_t high, std::size_t low) const {
  FillValues fills;
  fills.others = between(high, low);
  for (std::size_t i = 0; i < high; ++i) fills.values[fills.count++] = high_.value(i);
  for (std::size_t i = 0; i < low; ++i) fills.values[fills.count++] = -low_.value(i);
  return fills;
}

FillValues Tails::fill_values(double error_bound) const {
  FillValues best = outside(0, 0);
  for (std::size_t high = 0; high <= most_fills_a_side; ++high) {
    for (std::size_t low = 0; low <= most_fills_a_side; ++low) {
      if (high + low == 0 || !are_fills(high, low, error_bound)) continue;
      const FillValues now = outside(high, low);
      if (now.others.width() < best.others.width()) best = now;
    }
  }
  return best;
}

}  // namespace tightwire::codec
