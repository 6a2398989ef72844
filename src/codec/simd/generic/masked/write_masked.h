// Tiles with fill values to bytes.
#pragma once

#include "codec/simd/generic/masked/fill_values.h"
#include "codec/simd/generic/write_blocks.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// The blocks of a tile that are not fill values alone, moved together.
template <class T>
class LiveBlocks {
 public:
  using Int = typename Lane<T>::Int;
  using U = typename Lane<T>::Unsigned;

  // `residuals` and `widths` are moved in place.
  Tile<T>& of(const Tile<T>& tile, const std::uint16_t* masked, U* residuals,
              std::uint8_t* widths) {
    std::size_t live = 0;
    live_.count = 0;
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      if (masked[b] == tile.all_lanes(b)) continue;
      widths[live] = widths[b];
      copy(residuals + b * block_values, residuals + live * block_values);
      live_.exceptions[live] = tile.exceptions[b];
      if (tile.any_exceptions) {
        copy(tile.q + b * block_values, q_ + live * block_values);
        copy(tile.verbatim + b * block_values, live_.verbatim + live * block_values);
      }
      live_.count += tile.lanes(b);
      ++live;
    }
    std::fill(widths + live, widths + tile_blocks, std::uint8_t{0});
    live_.any_exceptions = tile.any_exceptions;
    live_.q = q_;
    return live_;
  }

 private:
  template <class V>
  static void copy(const V* from, V* to) {
    Block<U>::load(from).store(to);
  }

  Tile<T> live_;
  alignas(64) Int q_[tile_values];
};

// Kind, fill value where it is another one than `before`, and mask.
template <class T>
std::byte* begin_masked(T fill, bool another, const std::uint16_t* masked, std::size_t count,
                        std::byte* p) {
  *p++ = std::byte(bounded::TileKind::masked) | (another ? bounded::new_fill : std::byte{0});
  if (another) {
    store(fill, p);
    p += sizeof fill;
  }
  return write_mask(masked, count, p);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
