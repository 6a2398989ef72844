// What kinds of numbers there are among values, looked at every one of them.
#pragma once

#include "codec/bounded/survey.h"
#include "codec/simd/generic/scalar.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// A group of values at a time, each lane with flags of its own, which compilers make vectors of.
template <class T>
struct SurveyLanes {
  static constexpr std::size_t lanes = 32;
  using U = BitsOf<T>;

  U subnormal[lanes] = {};
  U tiny[lanes] = {};
  U whole[lanes] = {};
  U broken[lanes] = {};

  void look_at(const T* values) {
    constexpr U magnitude_bits = ~U{0} >> 1;
    constexpr U normal = std::bit_cast<U>(std::numeric_limits<T>::min());
    constexpr U no_longer_tiny = std::bit_cast<U>(bounded::least_not_tiny<T>);
    constexpr T all_whole_from = bounded::all_whole_from<T>;
    for (std::size_t i = 0; i < lanes; ++i) {
      const U magnitude = std::bit_cast<U>(values[i]) & magnitude_bits;
      const T number = std::bit_cast<T>(magnitude);
      const U is_subnormal = static_cast<U>(static_cast<U>(magnitude - 1) < normal - 1);
      const U is_tiny =
          static_cast<U>(static_cast<U>(magnitude - normal) < no_longer_tiny - normal);
      const T rounded = (number + all_whole_from) - all_whole_from;
      const U is_open =
          static_cast<U>(number < all_whole_from) & static_cast<U>(magnitude >= normal);
      const U is_rounded = static_cast<U>(rounded == number);
      subnormal[i] |= is_subnormal;
      tiny[i] |= is_tiny;
      whole[i] |= is_open & is_rounded;
      broken[i] |= is_open & (is_rounded ^ U{1});
    }
  }

  [[nodiscard]] bounded::Survey result() const {
    const auto any = [](const U(&flags)[lanes]) {
      return std::any_of(flags, flags + lanes, [](U flag) { return flag != 0; });
    };
    return {any(subnormal), any(tiny), any(whole), any(broken)};
  }
};

template <class T>
bounded::Survey survey_of(std::span<const std::byte> bytes) {
  SurveyLanes<T> seen;
  T group[SurveyLanes<T>::lanes] = {};  // zeros are none of what is looked for
  for (std::size_t at = 0; at < bytes.size(); at += sizeof group) {
    const std::size_t size = std::min(sizeof group, bytes.size() - at);
    if (size < sizeof group) std::fill(std::begin(group), std::end(group), T{0});
    std::memcpy(group, bytes.data() + at, size);
    seen.look_at(group);
  }
  return seen.result();
}

inline bounded::Survey survey(ElementType type, std::span<const std::byte> values) {
  return type == ElementType::float32 ? survey_of<float>(values) : survey_of<double>(values);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
