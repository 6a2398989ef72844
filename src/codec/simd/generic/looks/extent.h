// The extent of finite values.
#pragma once

#include "codec/fill/extent.h"
#include "codec/simd/generic/looks/wide.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class T>
class FiniteExtent {
 public:
  void take(std::span<const std::byte> values) {
    std::size_t at = 0;
    for (; values.size() - at >= block_bytes; at += block_bytes) take_block(values.data() + at);
    if (at == values.size()) return;
    alignas(64) std::byte block[block_bytes];  // NaN are not finite
    std::memset(block, 0xff, sizeof block);
    std::memcpy(block, values.data() + at, values.size() - at);
    take_block(block);
  }

  // Of zeros the positive one, whichever came first.
  [[nodiscard]] Extent result() const {
    Extent extent{static_cast<double>(limit), -static_cast<double>(limit)};
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t lane = 0; lane < sizeof(Numbers) / sizeof(T); ++lane) {
        extent.smallest = std::min(extent.smallest, static_cast<double>(low_[i][lane]));
        extent.largest = std::max(extent.largest, static_cast<double>(high_[i][lane]));
      }
    }
    return {extent.smallest + 0.0, extent.largest + 0.0};
  }

 private:
  using Numbers = typename Wide<T>::Numbers;
  static constexpr T limit = std::numeric_limits<T>::max();
  // So many at a time, as each comparison waits for the one before.
  static constexpr std::size_t rows = 4;
  static constexpr std::size_t block_bytes = rows * sizeof(Numbers);
  static constexpr std::size_t prefetched = 4096;

  void take_block(const std::byte* block) {
    for (std::size_t i = 0; i < rows; ++i) {
      const std::byte* const place = block + i * sizeof(Numbers);
      __builtin_prefetch(place + prefetched);
      Numbers number;
      std::memcpy(&number, place, sizeof number);
      low_[i] = ((number < low_[i]) & (number >= -limit)) ? number : low_[i];
      high_[i] = ((number > high_[i]) & (number <= limit)) ? number : high_[i];
    }
  }

  Numbers low_[rows] = {Numbers{} + limit, Numbers{} + limit, Numbers{} + limit, Numbers{} + limit};
  Numbers high_[rows] = {Numbers{} - limit, Numbers{} - limit, Numbers{} - limit,
                         Numbers{} - limit};
};

inline Extent finite_extent(ElementType type, std::span<const std::byte> values) {
  const auto of = [&](auto&& extent) {
    extent.take(values);
    return extent.result();
  };
  return type == ElementType::float32 ? of(FiniteExtent<float>()) : of(FiniteExtent<double>());
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
