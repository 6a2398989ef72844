// Which differences leave the least, tried on a sample of the integers.
#pragma once

#include "codec/simd/generic/coded/choose_tokens.h"
#include "codec/simd/generic/coded/gaps.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// About 64 times the bits that the values take, to compare with others of the same count.
template <class U>
std::uint64_t rough_cost(const U* values, std::size_t count) {
  using Int = std::make_signed_t<U>;
  using Number = std::conditional_t<sizeof(U) == 4, float, double>;
  constexpr unsigned below = std::numeric_limits<Number>::digits - 1 - 6;
  U sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // One more than the value, from its half, which is no negative number.
    const auto half = static_cast<Int>(values[i] >> 1);
    const auto odd = static_cast<Int>(values[i] & 1);
    const Number number = static_cast<Number>(half) * 2 + static_cast<Number>(odd + 1);
    // Exponent and fraction in one piece are a logarithm, linear between powers of two.
    sum += std::bit_cast<U>(number) >> below;
  }
  return sum;
}

template <class U>
class DifferencesChooser {
 public:
  // q[-most_reach(apart)] and what follows can be read.
  DifferencesChooser(const U* q, std::size_t count, Distances apart, GapMasks gaps)
      : q_(q), apart_(apart), gaps_(gaps), differencer_({}) {
    const std::size_t few = std::clamp<std::size_t>(count / values_per_stretch, 1, few_stretches);
    stretches_ = std::clamp(count / values_per_stretch / few_stretches, few, most_stretches);
    size_ = std::min(count, stretch);
    // The first rows have none above them.
    const std::size_t room = count - size_;
    first_ = std::min(std::size_t{entropy::most_row_order} * apart.row, room / 4);
    stride_ = stretches_ > 1 ? (room - first_) / (stretches_ - 1) : 0;
    // The first planes have none before them: in the sample they weigh too much where they are
    // little of what the first stretch stands for.
    const std::size_t planes = std::size_t{entropy::most_plane_order} * apart.plane;
    if (planes + first_ <= room / stretches_ / 4) planes_ = planes;
    wide_gaps_ = gaps != nullptr && count_gaps(gaps, count) > count / little;
  }

  entropy::Differences best() {
    entropy::Differences best{.apart = apart_};
    try_on(best, best);
    improve_order(best);
    find_lag(best);
    if (apart_.row >= entropy::shortest_row) find_rows(best);
    if (apart_.plane >= entropy::shortest_row) find_planes(best);
    return best_of_finalists();
  }

  // Bits of a value that is in no gap, as that one is thought to tell it.
  [[nodiscard]] double bits_of_value() const { return bits_of_value_; }

 private:
  static constexpr std::size_t stretch = 256;
  static constexpr std::size_t most_stretches = 8;
  static constexpr std::size_t few_stretches = 4;
  static constexpr std::size_t values_per_stretch = 2048;  // of few; of more, four times as many
  static constexpr std::size_t little = 256;               // one part in so many
  static constexpr std::size_t most_tried = 56;
  static constexpr unsigned most_order_of_rows = 4;  // more gain along values alone
  static constexpr std::size_t finalists = 3;

  struct Tried {
    entropy::Differences by;
    std::uint64_t cost;
    // Of equals the simplest; no two are the same.
    [[nodiscard]] std::uint64_t rank() const {
      const unsigned orders = by.plane_order << 8u | by.row_order << 4u | by.order;
      return cost << 20 | orders << 8 | by.lag;
    }
  };

  // Across wide gaps a slope would lead far away.
  bool allowed(const entropy::Differences& by) const {
    return !wide_gaps_ || (by.order <= 1 && by.row_order != 2 && by.plane_order <= 1);
  }

  // Orders above the given one, and one below, as long as they help.
  void improve_order(entropy::Differences& best) {
    for (unsigned order = best.order + 1; order <= entropy::most_order; ++order) {
      entropy::Differences higher = best;
      higher.order = static_cast<std::uint8_t>(order);
      if (!try_on(higher, best) && order > best.order + 1u) break;
    }
  }

  void find_rows(entropy::Differences& best) {
    const unsigned highest = std::min(best.order + 1u, most_order_of_rows);
    const std::uint8_t lag = best.lag;
    for (std::uint8_t rows = 1; rows <= entropy::most_row_order; ++rows) {
      if (rows > 1 && best.row_order == 0) break;
      for (unsigned order = 0; order <= highest; ++order) {
        try_on({static_cast<std::uint8_t>(order), rows, 0, lag, apart_}, best);
      }
    }
  }

  // With what is best without planes, and with the lower orders that are left to do then.
  void find_planes(entropy::Differences& best) {
    for (std::uint8_t planes = 1; planes <= entropy::most_plane_order; ++planes) {
      if (planes > best.plane_order + 1) break;
      entropy::Differences by = best;
      by.plane_order = planes;
      try_on(by, best);
      const std::uint8_t most_rows = apart_.row >= entropy::shortest_row ? 1 : 0;
      for (std::uint8_t rows = 0; rows <= most_rows; ++rows) {
        for (std::uint8_t order = 0; order <= 1; ++order) {
          if (by.order == order && by.row_order == rows) continue;
          try_on({order, rows, planes, by.lag, apart_}, best);
        }
      }
    }
  }

  void find_lag(entropy::Differences& best) {
    static constexpr std::uint8_t lags[] = {2, 3, 4, 6, 8, 9, 11};
    for (const std::uint8_t lag : lags) {
      const entropy::Differences by{1, 0, 0, lag, apart_};
      if (try_on(by, best)) improve_order(best);
    }
  }

  bool try_on(const entropy::Differences& by, entropy::Differences& best) {
    if (!allowed(by) || tries_ == most_tried) return false;
    const std::uint64_t cost = rough_cost(residuals_, take_sample(by));
    tried_[tries_++] = {by, cost};
    if (cost >= least_) return false;
    least_ = cost;
    best = by;
    return true;
  }

  // The first of all, which tokens may suit better than is thought, and the best.
  entropy::Differences best_of_finalists() {
    const std::size_t last = std::min(tries_, 1 + finalists);
    std::partial_sort(tried_ + 1, tried_ + last, tried_ + tries_,
                      [](const Tried& a, const Tried& b) { return a.rank() < b.rank(); });
    std::size_t best = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (std::size_t i = 0; i < last; ++i) {
      const std::size_t size = take_sample(tried_[i].by);
      const std::uint64_t cost = size == 0 ? 0 : least_cost(residuals_, size);
      if (cost >= least) continue;
      best = i;
      least = cost;
      bits_of_value_ = size == 0 ? 0 : static_cast<double>(cost) / (64 * static_cast<double>(size));
    }
    return tried_[best].by;
  }

  // Of a stretch. Behind the first planes it is behind the first rows of one, too.
  std::size_t place(std::size_t i) const { return first_ + (i == 0 ? planes_ : i * stride_); }

  // Residuals that are in no gaps.
  std::size_t take_sample(const entropy::Differences& by) {
    differencer_.use(by);
    std::size_t size = 0;
    for (std::size_t i = 0; i < stretches_; ++i) {
      const std::size_t first = place(i) / block_values * block_values;
      differencer_.take(q_ + first, size_, residuals_ + size);
      size += gaps_ == nullptr ? size_
                               : drop_gaps(residuals_ + size, size_, gaps_ + first / block_values);
    }
    return size;
  }

  const U* q_;
  Distances apart_;
  GapMasks gaps_;
  bool wide_gaps_ = false;
  std::size_t stretches_ = 1;
  std::size_t size_;
  std::size_t first_;
  std::size_t stride_;
  std::size_t planes_ = 0;  // that the first stretch passes over
  std::uint64_t least_ = ~std::uint64_t{0};
  double bits_of_value_ = 0;
  Tried tried_[most_tried];
  std::size_t tries_ = 0;
  Differencer<U> differencer_;
  U residuals_[stretch * most_stretches];
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
