// Numbers, and flags of as many bits, a vector register at a time: of longer vectors
// compilers make single numbers.
#pragma once

#include "codec/simd/generic/scalar.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class T>
struct Wide;
template <>
struct Wide<float> {
  using Bits [[gnu::vector_size(register_bytes)]] = std::uint32_t;
  using Flags [[gnu::vector_size(register_bytes)]] = std::int32_t;
  using Numbers [[gnu::vector_size(register_bytes)]] = float;
};
template <>
struct Wide<double> {
  using Bits [[gnu::vector_size(register_bytes)]] = std::uint64_t;
  using Flags [[gnu::vector_size(register_bytes)]] = std::int64_t;
  using Numbers [[gnu::vector_size(register_bytes)]] = double;
};

// Registers are neither passed nor returned by value, which depends on the instruction set.
template <class T>
[[nodiscard]] bool any_of(const typename Wide<T>::Flags& flags) {
  std::uint64_t words[sizeof flags / sizeof(std::uint64_t)];
  std::memcpy(words, &flags, sizeof words);
  std::uint64_t all = 0;
  for (const std::uint64_t word : words) all |= word;
  return all != 0;
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
