// The blocks of one tile: their codes, then their bits.
#pragma once

#include "codec/generic/tile.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Values of up to tile_blocks bytes, two to a byte, the first in the low half.
inline void pack_nibbles(const std::uint8_t* nibbles, std::size_t count, std::byte* out) {
  for (std::size_t i = 0; i < (count + 1) / 2; ++i) {
    out[i] = std::byte(nibbles[2 * i] | nibbles[2 * i + 1] << 4);
  }
}

// One below the narrowest width that is not 0, so that codes 1 to 13 reach as far up as they can.
inline unsigned width_base(const std::uint8_t* widths) {
  std::uint8_t least = 255;
  for (std::size_t b = 0; b < tile_blocks; ++b) {
    least = std::min(least, static_cast<std::uint8_t>(widths[b] - 1));
  }
  return least == 255 ? 0 : least;
}

inline void widths_to_codes(const std::uint8_t* widths, unsigned base, std::uint8_t* codes) {
  for (std::size_t b = 0; b < tile_blocks; ++b) {
    const auto above = static_cast<std::uint8_t>(widths[b] - base);
    const auto code = std::min(above, static_cast<std::uint8_t>(bounded::code_wide));
    codes[b] = widths[b] == 0 ? std::uint8_t{0} : code;
  }
}

// The map of the used blocks and their codes without gaps.
inline std::byte* code_sparse(std::uint8_t* codes, std::byte* p) {
  std::uint64_t map = 0;
  std::size_t used = 0;
  for (std::size_t b = 0; b < tile_blocks; ++b) {
    if (codes[b] == 0) continue;
    map |= std::uint64_t{1} << b;
    codes[used++] = codes[b];
  }
  codes[used] = 0;
  std::memcpy(p, &map, sizeof map);
  p += sizeof map;
  pack_nibbles(codes, used, p);
  return p + (used + 1) / 2;
}

template <class T>
std::byte* code_escapes(const Tile<T>& tile, const std::uint8_t* codes, const std::uint8_t* widths,
                        std::byte* p) {
  for (std::size_t b = 0; b < tile.blocks(); ++b) {
    if (codes[b] == bounded::code_wide) *p++ = std::byte(widths[b]);
    if (codes[b] == bounded::code_exceptions) {
      const unsigned flag = values_kept(tile, b) != 0 ? bounded::exceptions_have_values : 0;
      *p++ = std::byte(widths[b] | flag);
    }
  }
  return p;
}

template <class T>
std::byte* code_exceptions(const Tile<T>& tile, std::size_t block, std::byte* p) {
  const std::uint16_t mask = tile.exceptions[block];
  store(mask, p);
  p += sizeof mask;
  if (values_kept(tile, block) == 0) return p;
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    store(tile.verbatim[block * block_values + i], p);
    p += sizeof(T);
  }
  return p;
}

// Returns the size. Needs max_tile_size() bytes and block_slack behind them. `widths` has
// tile_blocks entries, those behind the tile 0.
template <class T>
std::size_t code_blocks(const Tile<T>& tile, Predictor predictor,
                        const typename Lane<T>::Unsigned* residuals, const std::uint8_t* widths,
                        std::byte* out) {
  using B = Block<typename Lane<T>::Unsigned>;
  const std::size_t blocks = tile.blocks();
  std::uint8_t codes[tile_blocks + 2];
  const unsigned base = width_base(widths);
  widths_to_codes(widths, base, codes);
  if (tile.any_exceptions) {
    for (std::size_t b = 0; b < blocks; ++b) {
      if (tile.exceptions[b] != 0) codes[b] = bounded::code_exceptions;
    }
  }
  std::size_t used = 0;
  unsigned highest = 0;
  for (std::size_t b = 0; b < tile_blocks; ++b) {
    used += codes[b] != 0;
    highest = std::max<unsigned>(highest, codes[b]);
  }
  const bool sparse = 8 + (used + 1) / 2 < (blocks + 1) / 2;

  std::byte* p = out;
  *p++ =
      bounded::kind_byte(sparse ? bounded::TileKind::sparse : bounded::TileKind::dense, predictor);
  *p++ = std::byte(base);
  if (sparse) {
    std::uint8_t gathered[tile_blocks + 2];
    std::memcpy(gathered, codes, tile_blocks);
    p = code_sparse(gathered, p);
  } else {
    pack_nibbles(codes, blocks + (blocks & 1), p);
    p += (blocks + 1) / 2;
  }
  if (highest >= bounded::code_wide) p = code_escapes(tile, codes, widths, p);
  for (std::size_t b = 0; b < blocks; ++b) {
    if (sparse && codes[b] == 0) continue;
    B::load(residuals + b * block_values).pack(widths[b], p);
    p += packed_size(widths[b]);
    if (codes[b] == bounded::code_exceptions) p = code_exceptions(tile, b, p);
  }
  return static_cast<std::size_t>(p - out);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
