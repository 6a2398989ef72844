// Numbers, and flags of as many bits, 64 bytes at a time: compilers make registers of them.
#pragma once

#include "codec/simd/generic/scalar.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class T>
struct Wide;
template <>
struct Wide<float> {
  using Bits [[gnu::vector_size(64)]] = std::uint32_t;
  using Flags [[gnu::vector_size(64)]] = std::int32_t;
  using Numbers [[gnu::vector_size(64)]] = float;
};
template <>
struct Wide<double> {
  using Bits [[gnu::vector_size(64)]] = std::uint64_t;
  using Flags [[gnu::vector_size(64)]] = std::int64_t;
  using Numbers [[gnu::vector_size(64)]] = double;
};

// Registers are neither passed nor returned by value, which depends on the instruction set.
template <class T>
[[nodiscard]] bool any_of(const typename Wide<T>::Flags& flags) {
  BitsOf<T> all = 0;
  for (std::size_t i = 0; i < sizeof flags / sizeof(T); ++i) {
    all |= static_cast<BitsOf<T>>(flags[i]);
  }
  return all != 0;
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
