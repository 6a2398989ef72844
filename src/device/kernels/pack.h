// The bits of a block of 16 residuals of one width, to bytes and back: whole bytes as planes of 16,
// then what is left of each, fewer than eight bits, one after the other.
#pragma once

#include "device/kernels/scalar.h"

namespace tightwire::device {

TIGHTWIRE_KERNEL unsigned packed_size(unsigned width) {
  return block_values / 8 * width;
}

// Four times fewer than eight bits.
template <class U>
TIGHTWIRE_KERNEL std::uint32_t join_four(const U* residuals, unsigned shift, unsigned rest) {
  std::uint32_t bits = 0;
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < 4; ++i) {
    bits |= static_cast<std::uint32_t>(residuals[i] >> shift) << i * rest;
  }
  return bits;
}

// `out` has packed_size(width) bytes. No residual has more bits than `width`. Nothing is done for a
// width that no residual has.
template <class U>
TIGHTWIRE_KERNEL void pack_block(const U* residuals, unsigned width, std::uint8_t* out) {
  if (width > sizeof(U) * 8) return;
  unsigned shift = 0;
  for (; shift + 8 <= width; shift += 8) {
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < block_values; ++i) {
      out[i] = static_cast<std::uint8_t>(residuals[i] >> shift);
    }
    out += block_values;
  }
  const unsigned rest = width - shift;
  if (rest == 0) return;
  TIGHTWIRE_UNROLL
  for (unsigned half = 0; half < block_values; half += 8) {
    const std::uint32_t low = join_four(residuals + half, shift, rest);
    const std::uint32_t high = join_four(residuals + half + 4, shift, rest);
    const std::uint64_t bits = low | std::uint64_t{high} << 4 * rest;
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < 7; ++i) {
      if (i < rest) out[i] = static_cast<std::uint8_t>(bits >> 8 * i);
    }
    out += rest;
  }
}

template <class U>
TIGHTWIRE_KERNEL void split_four(std::uint32_t bits, unsigned shift, unsigned rest, U* residuals) {
  const std::uint32_t mask = (1u << rest) - 1;
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < 4; ++i) {
    residuals[i] |= static_cast<U>(static_cast<U>(bits >> i * rest & mask) << shift);
  }
}

// The words that begin at any byte. Of memory, all words are read that these have a part in, and
// the one behind them.
template <unsigned count>
TIGHTWIRE_KERNEL void load_words(const std::uint8_t* in, std::uint32_t (&words)[count]) {
  const auto beyond = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(in) % 4);
  in -= beyond;
  auto low = load_whole<std::uint32_t>(in);
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < count; ++i) {
    const auto high = load_whole<std::uint32_t>(in + 4 * (i + 1));
    words[i] = static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> 8 * beyond);
    low = high;
  }
}

// Reads up to eleven bytes behind the block, by words: they cost less than bytes do.
template <class U>
TIGHTWIRE_KERNEL void unpack_block(const std::uint8_t* in, unsigned width, U* residuals) {
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) residuals[i] = 0;
  if (width > sizeof(U) * 8) return;
  unsigned shift = 0;
  for (; shift + 8 <= width; shift += 8) {
    std::uint32_t words[block_values / 4];
    load_words(in, words);
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < block_values; ++i) {
      residuals[i] |= static_cast<U>(words[i / 4] >> 8 * (i % 4) & 255) << shift;
    }
    in += block_values;
  }
  const unsigned rest = width - shift;
  if (rest == 0) return;
  TIGHTWIRE_UNROLL
  for (unsigned half = 0; half < block_values; half += 8) {
    std::uint32_t words[2];
    load_words(in, words);
    const std::uint64_t bits = std::uint64_t{words[1]} << 32 | words[0];
    in += rest;
    split_four(words[0], shift, rest, residuals + half);
    split_four(static_cast<std::uint32_t>(bits >> 4 * rest), shift, rest, residuals + half + 4);
  }
}

}  // namespace tightwire::device
