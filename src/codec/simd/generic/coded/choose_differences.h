// Which differences leave the least, tried on a sample of the integers.
#pragma once

#include "codec/simd/generic/coded/choose_tokens.h"
#include "codec/simd/generic/coded/differences.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class U>
class DifferencesChooser {
 public:
  // q[-2 * row_length - most_order * longest_lag] and what follows can be read.
  DifferencesChooser(const U* q, std::size_t count, std::size_t row_length)
      : q_(q),
        count_(count),
        row_length_(static_cast<std::uint32_t>(row_length)),
        differencer_({}) {
    stretches_ = std::clamp<std::size_t>(count / values_per_stretch, 1, most_stretches);
    size_ = std::min(count, stretch);
  }

  entropy::Differences best() {
    entropy::Differences best{0, 0, 1, row_length_};
    least_ = cost_of(best);
    improve_order(best);
    find_lag(best);
    if (row_length_ >= entropy::shortest_row) find_rows(best);
    return best;
  }

 private:
  static constexpr std::size_t stretch = 256;
  static constexpr std::size_t most_stretches = 8;
  static constexpr std::size_t values_per_stretch = 8192;

  // Orders above the given one, and one below, as long as they help.
  void improve_order(entropy::Differences& best) {
    for (unsigned order = best.order + 1; order <= entropy::most_order; ++order) {
      entropy::Differences higher = best;
      higher.order = static_cast<std::uint8_t>(order);
      if (!try_on(higher, best) && order > best.order + 1u) break;
    }
  }

  void find_rows(entropy::Differences& best) {
    const unsigned highest = std::min(best.order + 1u, entropy::most_order);
    const std::uint8_t lag = best.lag;
    for (std::uint8_t rows = 1; rows <= entropy::most_row_order; ++rows) {
      if (rows > 1 && best.row_order == 0) break;
      for (unsigned order = 0; order <= highest; ++order) {
        try_on({static_cast<std::uint8_t>(order), rows, lag, row_length_}, best);
      }
    }
  }

  void find_lag(entropy::Differences& best) {
    static constexpr std::uint8_t lags[] = {2, 3, 4, 6, 8, 9, 11};
    for (const std::uint8_t lag : lags) {
      const entropy::Differences by{1, 0, lag, row_length_};
      if (try_on(by, best)) improve_order(best);
    }
  }

  bool try_on(const entropy::Differences& by, entropy::Differences& best) {
    const std::uint64_t bits = cost_of(by);
    if (bits >= least_) return false;
    least_ = bits;
    best = by;
    return true;
  }

  std::uint64_t cost_of(const entropy::Differences& by) {
    differencer_.use(by);
    const std::size_t stride = stretches_ > 1 ? (count_ - size_) / (stretches_ - 1) : 0;
    for (std::size_t i = 0; i < stretches_; ++i) {
      differencer_.take(q_ + i * stride, size_, residuals_ + i * size_);
    }
    U least = 0;
    U most = 0;
    find_range(residuals_, stretches_ * size_, least, most);
    return TokenChooser<U>(residuals_, stretches_ * size_).best(least, most).cost;
  }

  const U* q_;
  std::size_t count_;
  std::uint32_t row_length_;
  std::size_t stretches_ = 1;
  std::size_t size_;
  std::uint64_t least_ = 0;
  Differencer<U> differencer_;
  U residuals_[stretch * most_stretches];
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
