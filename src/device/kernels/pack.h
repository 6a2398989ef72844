// The bits of a block of 16 residuals of one width, to bytes and back: whole bytes as planes of 16,
// then what is left of each, fewer than eight bits, one after the other.
#pragma once

#include "device/kernels/scalar.h"

namespace tightwire::device {

TIGHTWIRE_KERNEL unsigned packed_size(unsigned width) {
  return block_values / 8 * width;
}

// `out` holds a byte for each byte of the residuals.
template <class U>
TIGHTWIRE_KERNEL void pack_block(const U* residuals, unsigned width, std::uint8_t* out) {
  unsigned shift = 0;
  for (; shift + 8 <= width; shift += 8) {
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < block_values; ++i) {
      *out++ = static_cast<std::uint8_t>(residuals[i] >> shift);
    }
  }
  const unsigned rest = width - shift;
  if (rest == 0) return;
  TIGHTWIRE_UNROLL
  for (unsigned half = 0; half < block_values; half += 8) {
    std::uint64_t bits = 0;
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < 8; ++i) {
      bits |= static_cast<std::uint64_t>(residuals[half + i] >> shift) << i * rest;
    }
    for (unsigned i = 0; i < rest; ++i) *out++ = static_cast<std::uint8_t>(bits >> 8 * i);
  }
}

template <class U>
TIGHTWIRE_KERNEL void unpack_block(const std::uint8_t* in, unsigned width, U* residuals) {
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) residuals[i] = 0;
  unsigned shift = 0;
  for (; shift + 8 <= width; shift += 8) {
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < block_values; ++i) residuals[i] |= static_cast<U>(*in++) << shift;
  }
  const unsigned rest = width - shift;
  if (rest == 0) return;
  const std::uint64_t mask = (1u << rest) - 1;
  TIGHTWIRE_UNROLL
  for (unsigned half = 0; half < block_values; half += 8) {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < rest; ++i) bits |= static_cast<std::uint64_t>(*in++) << 8 * i;
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < 8; ++i) {
      residuals[half + i] |= static_cast<U>(static_cast<U>(bits >> i * rest & mask) << shift);
    }
  }
}

}  // namespace tightwire::device
