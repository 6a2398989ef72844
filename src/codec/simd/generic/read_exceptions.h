// Values that are no integers.
#pragma once

#include "codec/simd/generic/read_codes.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Values of so many bits each, the sign as the lowest. Reads behind them. False: damaged.
template <class T>
bool read_kept(Input& in, std::uint16_t mask, T* verbatim) {
  using U = typename Lane<T>::Unsigned;
  if (in.size() == 0) return false;
  const auto width = static_cast<unsigned>(*in.p++);
  if (width == 0 || width > sizeof(T) * 8) return false;
  const std::size_t size = kept_size(mask, width);
  if (in.size() < size) return false;
  const U all = ~U{0} >> (sizeof(T) * 8 - width);
  std::size_t bit = 0;
  for_each_exception(mask, [&](std::size_t i) {
    const std::byte* const p = in.p + bit / 8;
    auto value = static_cast<U>(load<std::uint64_t>(p) >> bit % 8);
    if constexpr (sizeof(U) == 8) {
      if (bit % 8 != 0) value |= static_cast<U>(p[8]) << (64 - bit % 8);
    }
    verbatim[i] = std::bit_cast<T>(std::rotr(static_cast<U>(value & all), 1));
    bit += width;
  });
  in.p += size;
  return true;
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
