// Blocks of 16 folded residuals as bits: the low bytes as planes of 16 bytes, and the top bits,
// fewer
#pragma once

// than eight, packed value after value.
#include <bit>

#include "codec/generic/tile.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

constexpr std::size_t packed_size(unsigned width) {
  return block_values / 8 * width;
}

template <class U>
unsigned block_width(const U* residuals) {
  U all = 0;
  for (std::size_t i = 0; i < block_values; ++i) all |= residuals[i];
  return static_cast<unsigned>(std::bit_width(all));
}

template <class U>
void pack_block(const U* residuals, unsigned width, std::byte* out) {
  unsigned shift = 0;
  for (; shift + 8 <= width; shift += 8) {
    for (std::size_t i = 0; i < block_values; ++i) *out++ = std::byte(residuals[i] >> shift & 0xff);
  }
  const unsigned rest = width - shift;
  if (rest == 0) return;
  for (std::size_t half = 0; half < block_values; half += 8) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      bits |= static_cast<std::uint64_t>(residuals[half + i] >> shift) << (i * rest);
    }
    for (unsigned i = 0; i < rest; ++i) *out++ = std::byte(bits >> (8 * i) & 0xff);
  }
}

template <class U>
void unpack_block(const std::byte* in, unsigned width, U* residuals) {
  std::fill_n(residuals, block_values, U{0});
  unsigned shift = 0;
  for (; shift + 8 <= width; shift += 8) {
    for (std::size_t i = 0; i < block_values; ++i) residuals[i] |= static_cast<U>(*in++) << shift;
  }
  const unsigned rest = width - shift;
  if (rest == 0) return;
  const std::uint64_t mask = (1u << rest) - 1;
  for (std::size_t half = 0; half < block_values; half += 8) {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < rest; ++i) bits |= static_cast<std::uint64_t>(*in++) << (8 * i);
    for (std::size_t i = 0; i < 8; ++i) {
      residuals[half + i] |= static_cast<U>(bits >> (i * rest) & mask) << shift;
    }
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
