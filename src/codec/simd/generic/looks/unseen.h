// The next block of values that has news for a search for fill values.
#pragma once

#include "codec/simd/generic/looks/wide.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class T>
class Unseen {
 public:
  explicit Unseen(const Seen& seen)
      : low_(static_cast<T>(seen.ordinary.smallest)),
        high_(static_cast<T>(seen.ordinary.largest)),
        count_(seen.count) {
    for (std::size_t i = 0; i < count_; ++i) known_[i] = static_cast<T>(seen.known[i]);
  }

  // Where a block begins that has a new number; the end of the values if there is none.
  [[nodiscard]] std::size_t find(std::span<const std::byte> values, std::size_t at) const {
    for (; values.size() - at >= seen_block; at += seen_block) {
      if (is_new(values.data() + at)) return at;
    }
    if (at == values.size()) return at;
    alignas(64) std::byte block[seen_block];  // NaN are never new
    std::memset(block, 0xff, sizeof block);
    std::memcpy(block, values.data() + at, values.size() - at);
    return is_new(block) ? at : values.size();
  }

 private:
  using Flags = typename Wide<T>::Flags;
  using Numbers = typename Wide<T>::Numbers;

  [[nodiscard]] bool is_new(const std::byte* block) const {
    // Where there are fill values most blocks may have some.
    return (count_ != 0 || has_beyond(block)) && has_unknown(block);
  }

  [[nodiscard]] bool has_beyond(const std::byte* block) const {
    Flags beyond{};
    for (std::size_t at = 0; at < seen_block; at += sizeof(Numbers)) {
      Numbers number;
      std::memcpy(&number, block + at, sizeof number);
      beyond |= (number > high_) | (number < low_);
    }
    return any_of<T>(beyond);
  }

  [[nodiscard]] bool has_unknown(const std::byte* block) const {
    constexpr T largest = std::numeric_limits<T>::max();
    Flags unknown{};
    for (std::size_t at = 0; at < seen_block; at += sizeof(Numbers)) {
      Numbers number;
      std::memcpy(&number, block + at, sizeof number);
      Flags here = (number > high_) | (number < low_);
      here &= (number <= largest) & (number >= -largest);
      for (std::size_t i = 0; i < count_; ++i) here &= number != known_[i];
      unknown |= here;
    }
    return any_of<T>(unknown);
  }

  T low_;
  T high_;
  T known_[2 * most_fills_a_side];
  std::size_t count_;
};

inline std::size_t find_unseen(ElementType type, std::span<const std::byte> values, std::size_t at,
                               const Seen& seen) {
  return type == ElementType::float32 ? Unseen<float>(seen).find(values, at)
                                      : Unseen<double>(seen).find(values, at);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
