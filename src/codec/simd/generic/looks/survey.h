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
        last_(static_cast<T>(others.largest)) {
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
  static constexpr T least_not_tiny = bounded::least_not_tiny<T>;

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
    // It may be plain for being all NaN, or all ignored: then nothing in it is broken.
    if (!is_plain(block) || !survey_.broken) look_closely_at(block);
  }

  // Nothing but broken numbers that are not tiny, and NaN: of most fields most blocks.
  [[nodiscard]] bool is_plain(const std::byte* block) {
    Flags others{};
    Numbers low = low_;
    Numbers high = high_;
    for (std::size_t at = 0; at < block_bytes; at += sizeof(Numbers)) {
      Numbers number;
      // What is surveyed is mostly read for the first time.
      __builtin_prefetch(block + at + prefetched);
      std::memcpy(&number, block + at, sizeof number);
      low = number < low ? number : low;
      high = number > high ? number : high;
      const Flags is_ignored = (number < first_) | (number > last_);
      load_magnitudes(block + at, number);
      Flags is_whole;
      find_whole(number, is_whole);
      others |= (is_whole | (number < least_not_tiny)) & ~is_ignored;
    }
    low_ = low;
    high_ = high;
    return !any_of<T>(others);
  }

  void look_closely_at(const std::byte* block) {
    Flags subnormal{};
    Flags tiny{};
    Flags whole{};
    Flags broken{};
    for (std::size_t at = 0; at < block_bytes; at += sizeof(Numbers)) {
      Numbers number;
      std::memcpy(&number, block + at, sizeof number);
      const Flags is_ignored = (number < first_) | (number > last_);
      load_magnitudes(block + at, number);
      const Flags is_below = number < std::numeric_limits<T>::min();
      const Flags is_open = (number < all_whole_from) & ~is_below & ~is_ignored;
      Flags is_whole;
      find_whole(number, is_whole);
      subnormal |= is_below & (number != 0);
      tiny |= (number < least_not_tiny) & ~is_below;
      whole |= is_open & is_whole;
      broken |= is_open & ~is_whole;
    }
    survey_.subnormals |= any_of<T>(subnormal);
    survey_.tiny |= any_of<T>(tiny);
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
  static void find_whole(const Numbers& magnitudes, Flags& is_whole) {
    is_whole = (magnitudes + all_whole_from) - all_whole_from == magnitudes;
  }

  static void load_magnitudes(const std::byte* from, Numbers& numbers) {
    Bits bits;
    std::memcpy(&bits, from, sizeof bits);
    bits &= static_cast<U>(~U{0} >> 1);
    std::memcpy(&numbers, &bits, sizeof bits);
  }

  std::span<const std::byte> values_;
  T first_;  // all others are ignored
  T last_;
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
