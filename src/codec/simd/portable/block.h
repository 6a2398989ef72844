// A block of 16 lanes in plain C++, and with it the meaning of every primitive.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "codec/bounded/grid.h"
#include "codec/simd/generic/scalar.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// pack() may write, and unpack() read, this many bytes more than the block takes.
inline constexpr std::size_t block_slack = 64;

// Of a vector register.
inline constexpr std::size_t register_bytes = 16;

template <class U>
struct Block {
  using Int = std::make_signed_t<U>;
  U lane[16];

  template <class F>
  static Block each(F f) {
    Block r;
    for (std::size_t i = 0; i < 16; ++i) r.lane[i] = static_cast<U>(f(i));
    return r;
  }

  static Block load(const void* in) {
    Block r;
    std::memcpy(r.lane, in, sizeof r.lane);
    return r;
  }
  void store(void* out) const { std::memcpy(out, lane, sizeof lane); }
  static Block fill(U value) {
    return each([&](std::size_t) { return value; });
  }

  Block operator+(Block b) const {
    return each([&](std::size_t i) { return lane[i] + b.lane[i]; });
  }
  Block operator-(Block b) const {
    return each([&](std::size_t i) { return lane[i] - b.lane[i]; });
  }

  // The sign goes to the lowest bit, so that small magnitudes have few bits.
  Block folded() const {
    return each([&](std::size_t i) { return fold_sign(lane[i]); });
  }
  Block unfolded() const {
    return each([&](std::size_t i) { return unfold_sign(lane[i]); });
  }

  // Rounded down, of signed lanes.
  Block halved() const {
    return each([&](std::size_t i) { return static_cast<Int>(lane[i]) >> 1; });
  }

  Block ordered() const {
    return each(
        [&](std::size_t i) { return codec::TIGHTWIRE_ISA::ordered(static_cast<Int>(lane[i])); });
  }

  // Lane i is lane i - 1, lane 0 the last one of `before`.
  Block preceded_by(const Block& before) const {
    return each([&](std::size_t i) { return i == 0 ? before.lane[15] : lane[i - 1]; });
  }

  // Lane i is the sum of lanes 0 to i.
  Block running_sum() const {
    Block r = *this;
    for (std::size_t i = 1; i < 16; ++i) r.lane[i] = static_cast<U>(r.lane[i] + r.lane[i - 1]);
    return r;
  }
  Block last() const { return fill(lane[15]); }

  // A bit for each lane in which both are the same.
  static std::uint32_t equal(Block a, Block b) {
    std::uint32_t same = 0;
    for (std::size_t i = 0; i < 16; ++i) {
      same |= static_cast<std::uint32_t>(a.lane[i] == b.lane[i]) << i;
    }
    return same;
  }
  // Lanes of `yes` where the mask has a bit, else those of `no`.
  static Block chosen(std::uint32_t mask, Block yes, Block no) {
    return each([&](std::size_t i) { return (mask >> i & 1) != 0 ? yes.lane[i] : no.lane[i]; });
  }

  static Block smaller(Block a, Block b) {
    return each([&](std::size_t i) {
      return static_cast<U>(std::min(static_cast<Int>(a.lane[i]), static_cast<Int>(b.lane[i])));
    });
  }
  static Block larger(Block a, Block b) {
    return each([&](std::size_t i) {
      return static_cast<U>(std::max(static_cast<Int>(a.lane[i]), static_cast<Int>(b.lane[i])));
    });
  }
  // A bit for each lane whose sum overflows or exceeds `limit` in magnitude.
  static std::uint32_t add(Block a, Block b, Int limit, Block& sum) {
    std::uint32_t bad = 0;
    for (std::size_t i = 0; i < 16; ++i) {
      Int s = 0;
      const bool over =
          __builtin_add_overflow(static_cast<Int>(a.lane[i]), static_cast<Int>(b.lane[i]), &s);
      sum.lane[i] = static_cast<U>(s);
      bad |= static_cast<std::uint32_t>(over || s > limit || s < -limit) << i;
    }
    return bad;
  }

  // Low bytes as planes of 16, then the top bits, fewer than eight, value after value.
  void pack(unsigned width, std::byte* out) const {
    unsigned shift = 0;
    for (; shift + 8 <= width; shift += 8) {
      for (std::size_t i = 0; i < 16; ++i) *out++ = std::byte(lane[i] >> shift & 0xff);
    }
    const unsigned rest = width - shift;
    if (rest == 0) return;
    for (std::size_t half = 0; half < 16; half += 8) {
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < 8; ++i) {
        bits |= static_cast<std::uint64_t>(lane[half + i] >> shift) << (i * rest);
      }
      std::memcpy(out, &bits, sizeof bits);
      out += rest;
    }
  }
  static Block unpack(const std::byte* in, unsigned width) {
    Block r = fill(0);
    unsigned shift = 0;
    for (; shift + 8 <= width; shift += 8) {
      for (std::size_t i = 0; i < 16; ++i) {
        r.lane[i] = static_cast<U>(r.lane[i] | static_cast<U>(*in++) << shift);
      }
    }
    const unsigned rest = width - shift;
    if (rest == 0) return r;
    const std::uint64_t mask = (1u << rest) - 1;
    for (std::size_t half = 0; half < 16; half += 8) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, in, sizeof bits);
      in += rest;
      for (std::size_t i = 0; i < 8; ++i) {
        r.lane[half + i] |= static_cast<U>(bits >> (i * rest) & mask) << shift;
      }
    }
    return r;
  }
};

// Bits that the widest lane of each block takes. `blocks` is a multiple of 16.
template <class U>
void block_widths(const U* lanes, std::size_t blocks, std::uint8_t* widths) {
  for (std::size_t b = 0; b < blocks; ++b) {
    U all = 0;
    for (std::size_t i = 0; i < 16; ++i) all |= lanes[b * 16 + i];
    widths[b] = static_cast<std::uint8_t>(std::bit_width(all));
  }
}

// The same by way of double.
template <class T>
std::uint32_t quantise_block_wide(const T* value, const Grid<T>& grid, typename Lane<T>::Int* q) {
  std::uint32_t bad = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    const double scaled =
        (static_cast<double>(value[i]) - static_cast<double>(grid.origin)) * grid.wide_inverse;
    const bool held =
        std::abs(scaled) <= static_cast<double>(grid.fast_limit) && !is_too_small(value[i], grid);
    q[i] =
        static_cast<typename Lane<T>::Int>(std::bit_cast<std::uint64_t>(scaled + rounder<double>) -
                                           std::bit_cast<std::uint64_t>(rounder<double>));
    bad |= static_cast<std::uint32_t>(!held) << i;
  }
  return bad;
}

// The nearest integers of 16 values; a bit for each lane that needs a closer look, where q is
// unspecified.
template <class T>
std::uint32_t quantise_block(const void* values, const Grid<T>& grid, typename Lane<T>::Int* q) {
  using Int = typename Lane<T>::Int;
  T value[16];
  std::memcpy(value, values, sizeof value);
  if (grid.wide_encode) return quantise_block_wide(value, grid, q);
  const T limit = static_cast<T>(grid.fast_limit);
  std::uint32_t bad = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    const T scaled = (value[i] - grid.origin) * grid.inverse;
    const bool held = std::abs(scaled) <= limit && !is_too_small(value[i], grid);
    q[i] = static_cast<Int>(
        static_cast<typename Lane<T>::Unsigned>(std::bit_cast<Int>(scaled + rounder<T>)) -
        static_cast<typename Lane<T>::Unsigned>(std::bit_cast<Int>(rounder<T>)));
    bad |= static_cast<std::uint32_t>(!held) << i;
  }
  return bad;
}

template <class T>
void dequantise_block(Block<typename Lane<T>::Unsigned> q, const Grid<T>& grid, void* values) {
  T value[16];
  for (std::size_t i = 0; i < 16; ++i) {
    value[i] = dequantise_one(static_cast<typename Lane<T>::Int>(q.lane[i]), grid);
  }
  std::memcpy(values, value, sizeof value);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
