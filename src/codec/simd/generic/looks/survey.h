// What kinds of numbers there are among values, looked at every one of them.
#pragma once

#include "codec/bounded/survey.h"
#include "codec/simd/generic/looks/wide.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class T>
class Surveyor {
 public:
  Surveyor(std::span<const std::byte> values, const Extent& others)
      : values_(values),
        first_(static_cast<T>(others.smallest)),
        last_(static_cast<T>(others.largest)),
        ignores_none_(std::isinf(first_) && std::isinf(last_)) {
    begin_segment();
  }

  bounded::Survey result() {
    std::size_t at = 0;
    for (; values_.size() - at >= block_bytes; at += block_bytes) {
      look_at(values_.data() + at);
      if (at % segment_bytes == segment_bytes - block_bytes) end_segment();
    }
    if (at != values_.size()) look_at_rest(values_.subspan(at));
    end_segment();
    return survey_;
  }

 private:
  using U = BitsOf<T>;
  using Bits = typename Wide<T>::Bits;
  using Flags = typename Wide<T>::Flags;
  using Numbers = typename Wide<T>::Numbers;

  static constexpr std::size_t block_bytes = 2048;
  static constexpr std::size_t prefetched = 2 * block_bytes;
  static constexpr std::size_t segment_bytes = 16 * block_bytes;
  static constexpr std::size_t block_values = block_bytes / sizeof(T);
  static constexpr unsigned fraction_bits = std::numeric_limits<T>::digits - 1;
  static constexpr T all_whole_from = bounded::all_whole_from<T>;

  void begin_segment() {
    low_ = Numbers{} + std::numeric_limits<T>::infinity();
    high_ = -low_;
  }

  void end_segment() {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t i = 0; i < sizeof(Numbers) / sizeof(T); ++i) {
      low = std::min(low, static_cast<double>(low_[i]));
      high = std::max(high, static_cast<double>(high_[i]));
    }
    survey_.smallest = std::min(survey_.smallest, low);
    survey_.largest = std::max(survey_.largest, high);
    if (std::isfinite(low)) survey_.some.add(low);
    if (std::isfinite(high)) survey_.some.add(high);
    begin_segment();
  }

  void look_at_rest(std::span<const std::byte> rest) {
    alignas(64) std::byte block[block_bytes];  // NaN are none of what is looked for
    std::memset(block, 0xff, sizeof block);
    std::memcpy(block, rest.data(), rest.size());
    look_at(block);
  }

  void look_at(const std::byte* block) {
    const Look look = ignores_none_ ? look_quickly_at<false>(block) : look_quickly_at<true>(block);
    if (look.small) count_small(block);
    if (look.whole || (look.any && !survey_.broken)) look_for_whole(block);
  }

  struct Look {
    bool any;  // other than zero and ignored ones; NaN is one
    bool small;
    bool whole;
  };

  // Of most fields most blocks have no such number. Whether one of many is 0 their minimum tells,
  // at less cost than flags do.
  template <bool ignores_some>
  [[nodiscard]] Look look_quickly_at(const std::byte* block) {
    constexpr U sign = U{1} << (std::numeric_limits<U>::digits - 1);
    Numbers low = low_;
    Numbers high = high_;
    Bits smallest = Bits{} + ~U{0};  // magnitude other than zero, less 1
    Bits nearest = Bits{} + ~U{0};   // of such a one to a whole number
    for (std::size_t at = 0; at < block_bytes; at += sizeof(Numbers)) {
      Numbers number;
      // What is surveyed is mostly read for the first time.
      __builtin_prefetch(block + at + prefetched);
      std::memcpy(&number, block + at, sizeof number);
      low = number < low ? number : low;
      high = number > high ? number : high;
      Bits bits;
      std::memcpy(&bits, &number, sizeof bits);
      bits &= ~sign;
      if constexpr (ignores_some) {
        bits &= ~reinterpret_cast<Bits>((number < first_) | (number > last_));
      }
      std::memcpy(&number, &bits, sizeof number);
      const Numbers from_whole = (number + all_whole_from) - all_whole_from - number;
      bits -= 1;  // its sign is set now where it was zero
      smallest = bits < smallest ? bits : smallest;
      Bits distance;
      std::memcpy(&distance, &from_whole, sizeof distance);
      distance |= bits & sign;
      nearest = distance < nearest ? distance : nearest;
    }
    low_ = low;
    high_ = high;
    constexpr U least = std::bit_cast<U>(bounded::least_not_above<T>) - 1;
    return {any_of<T>(smallest != Bits{} + ~U{0}), any_of<T>(smallest < least),
            any_of<T>(nearest == 0)};
  }

  void count_small(const std::byte* block) {
    constexpr std::array<T, 6> limits{
        std::numeric_limits<T>::denorm_min(), bounded::middle_of_subnormals<T>,
        std::numeric_limits<T>::min(),        bounded::least_not_next<T>,
        bounded::least_not_tiny<T>,           bounded::least_not_above<T>};
    std::array<Flags, limits.size()> below{};  // less one for each
    for (std::size_t at = 0; at < block_bytes; at += sizeof(Numbers)) {
      Numbers number;
      load_magnitudes(block + at, number);
      for (std::size_t i = 0; i < limits.size(); ++i) below[i] += number < limits[i];
    }
    std::array<std::size_t, limits.size()> count{};
    for (std::size_t i = 0; i < limits.size(); ++i) {
      for (std::size_t lane = 0; lane < sizeof(Flags) / sizeof(T); ++lane) {
        count[i] += static_cast<std::size_t>(-below[i][lane]);
      }
    }
    survey_.small.low += count[1] - count[0];
    survey_.small.high += count[2] - count[1];
    survey_.small.next += count[3] - count[2];
    survey_.small.tiny += count[4] - count[2];
    survey_.small.above += count[5] - count[4];
  }

  void look_for_whole(const std::byte* block) {
    Flags whole{};
    Flags broken{};
    for (std::size_t at = 0; at < block_bytes; at += sizeof(Numbers)) {
      Numbers number;
      std::memcpy(&number, block + at, sizeof number);
      const Flags is_ignored = (number < first_) | (number > last_);
      load_magnitudes(block + at, number);
      const Flags is_open =
          (number < all_whole_from) & (number >= std::numeric_limits<T>::min()) & ~is_ignored;
      const Flags is_whole = (number + all_whole_from) - all_whole_from == number;
      whole |= is_open & is_whole;
      broken |= is_open & ~is_whole;
    }
    survey_.broken |= any_of<T>(broken);
    if (any_of<T>(whole)) count_whole(block);
  }

  void count_whole(const std::byte* block) {
    survey_.whole = true;
    for (std::size_t i = 0; i < block_values && !survey_.on_purpose; ++i) {
      const T value = load<T>(block + i * sizeof(T));
      const T number = std::abs(value);
      if (value < first_ || value > last_ || std::trunc(number) != number) continue;
      if (!(number >= 1 && number < all_whole_from)) continue;
      const auto biased = static_cast<unsigned>(std::bit_cast<U>(number) >> fraction_bits);
      const unsigned exponent = biased - (std::numeric_limits<T>::max_exponent - 1);
      const std::size_t count = ++survey_.whole_of[exponent];
      survey_.on_purpose = bounded::is_on_purpose<T>(count, values_.size() / sizeof(T), exponent);
    }
  }

  // Registers are neither passed nor returned by value, which depends on the instruction set.
  static void load_magnitudes(const std::byte* from, Numbers& numbers) {
    Bits bits;
    std::memcpy(&bits, from, sizeof bits);
    bits &= static_cast<U>(~U{0} >> 1);
    std::memcpy(&numbers, &bits, sizeof bits);
  }

  std::span<const std::byte> values_;
  T first_;  // all others are ignored
  T last_;
  bool ignores_none_;
  bounded::Survey survey_;
  Numbers low_;  // of each lane, in a segment
  Numbers high_;
};

inline bounded::Survey survey(ElementType type, std::span<const std::byte> values,
                              const Extent& others) {
  return type == ElementType::float32 ? Surveyor<float>(values, others).result()
                                      : Surveyor<double>(values, others).result();
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
