// A tile: the values that one step of the codec works on, small enough to stay in the first cache.
#pragma once

#include <algorithm>
#include <cstring>

#include "codec/bounded/layout.h"
#include "codec/simd/generic/scalar.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

using bounded::block_values;
using bounded::Predictor;
using bounded::tile_blocks;
using bounded::tile_values;

constexpr std::size_t packed_size(unsigned bits_per_value) {
  return block_values / 8 * bits_per_value;
}

template <class T>
struct Tile {
  using Int = typename Lane<T>::Int;

  Int* q = nullptr;  // integers; q[-1], q[-2] and, with rows, those as far back are those before
                     // the tile
  std::size_t count = 0;  // values, at most tile_values
  bool any_exceptions = false;
  std::uint16_t exceptions[tile_blocks];  // bit i: lane i of the block is kept as it is
  T verbatim[tile_values];                // at lanes that are exceptions

  // A tile that was read may have lanes with a fill value; any_exceptions is then set, too.
  bool any_masked = false;
  std::uint16_t masked[tile_blocks];  // set where any_masked is
  T fill = 0;
  // What is written most likely holds as exceptions. The grid never holds a NaN.
  T likely_fill = std::numeric_limits<T>::quiet_NaN();

  bool is_exception(std::size_t i) const {
    return (exceptions[i / block_values] >> (i % block_values) & 1) != 0;
  }
  std::size_t blocks() const { return (count + block_values - 1) / block_values; }
  std::size_t lanes(std::size_t block) const {
    return std::min(block_values, count - block * block_values);
  }
  std::uint16_t all_lanes(std::size_t block) const {
    return static_cast<std::uint16_t>((1u << lanes(block)) - 1);
  }

  // Fill values become exceptions like others.
  void unmask() {
    if (!any_masked) return;
    for (std::size_t b = 0; b < blocks(); ++b) {
      for (std::size_t i = 0; i < block_values; ++i) {
        if ((masked[b] >> i & 1) != 0) verbatim[b * block_values + i] = fill;
      }
      exceptions[b] = static_cast<std::uint16_t>(exceptions[b] | masked[b]);
    }
    any_masked = false;
  }
};

// Calls use(lane) for each exception of a block.
template <class Use>
void for_each_exception(std::uint16_t mask, Use use) {
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    use(static_cast<std::size_t>(std::countr_zero(rest)));
  }
}

// Bits that each kept value of a block takes: few for subnormals, none for negative zeros alone, of
// which the places are enough.
template <class T>
unsigned kept_width(const Tile<T>& tile, std::size_t block) {
  typename Lane<T>::Unsigned any = 0;
  bool other = false;
  for_each_exception(tile.exceptions[block], [&](std::size_t i) {
    const auto rotated = sign_to_lowest(tile.verbatim[block * block_values + i]);
    any |= rotated;
    other |= rotated != 1;
  });
  return other ? static_cast<unsigned>(std::max(1, static_cast<int>(std::bit_width(any)))) : 0;
}

// Bytes of them.
inline std::size_t kept_size(std::uint16_t mask, unsigned width) {
  return (static_cast<std::size_t>(std::popcount(mask)) * width + 7) / 8;
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
