// The largest and the smallest few of the different numbers among values, and which of them are
// fill values.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "codec/fill/fill_values.h"

namespace tightwire::codec {

// The largest numbers, the largest first; for the smallest, negated ones.
class Tail {
 public:
  static constexpr std::size_t kept = most_fills_a_side + 1;

  void add(double value);
  void forget_times();

  // -infinity where there are not so many.
  [[nodiscard]] double value(std::size_t i) const { return ends_[i].value; }
  [[nodiscard]] bool repeats(std::size_t i) const { return ends_[i].times > 1; }
  [[nodiscard]] double last() const { return ends_.back().value; }
  // Whether the first `count` may be fill values, for others that are so wide.
  [[nodiscard]] bool is_apart(std::size_t count, double width) const;

 private:
  struct End {
    double value = -std::numeric_limits<double>::infinity();
    std::size_t times = 0;
  };
  std::array<End, kept> ends_;
};

class Tails {
 public:
  // A finite one.
  void add(double value);
  void forget_times();

  [[nodiscard]] const Tail& high() const { return high_; }
  [[nodiscard]] const Tail& low() const { return low_; }
  // The least width that all values without fill values have.
  [[nodiscard]] double least_width() const { return high_.last() + low_.last(); }
  [[nodiscard]] FillValues fill_values(double error_bound) const;

 private:
  [[nodiscard]] Extent between(std::size_t high, std::size_t low) const;
  [[nodiscard]] bool are_fills(std::size_t high, std::size_t low, double error_bound) const;
  [[nodiscard]] FillValues outside(std::size_t high, std::size_t low) const;

  Tail high_;
  Tail low_;
};

}  // namespace tightwire::codec
