// The blocks of one tile: their codes, then their bits.
#pragma once

#include "codec/simd/generic/tile.h"

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

// What a block with exceptions is written as, whatever is shorter: residuals and the kept values in
// `kept_width` bits each, or words.
struct ExceptionForm {
  bool words;
  unsigned kept_width;
};

template <class T>
ExceptionForm exception_form(const Tile<T>& tile, std::size_t block, unsigned width) {
  const unsigned kept = kept_width(tile, block);
  const std::size_t size = packed_size(width) + kept_size(tile.exceptions[block], kept);
  return {size > tile.lanes(block) * sizeof(T), kept};
}

template <class T>
std::byte* code_escapes(const Tile<T>& tile, const std::uint8_t* codes, const std::uint8_t* widths,
                        std::byte* p) {
  for (std::size_t b = 0; b < tile.blocks(); ++b) {
    if (codes[b] == bounded::code_wide) *p++ = std::byte(widths[b]);
    if (codes[b] == bounded::code_exceptions) {
      const ExceptionForm form = exception_form(tile, b, widths[b]);
      const unsigned flag = form.kept_width != 0 ? bounded::exceptions_have_values : 0;
      *p++ = std::byte(form.words ? bounded::block_of_words : widths[b] | flag);
    }
  }
  return p;
}

template <class T>
std::byte* code_words(const Tile<T>& tile, std::size_t block, std::byte* p) {
  store(tile.exceptions[block], p);
  p += sizeof tile.exceptions[block];
  for (std::size_t i = 0; i < tile.lanes(block); ++i) {
    const std::size_t at = block * block_values + i;
    const bool exception = (tile.exceptions[block] >> i & 1) != 0;
    store(exception ? std::bit_cast<typename Tile<T>::Int>(tile.verbatim[at]) : tile.q[at], p);
    p += sizeof(T);
  }
  return p;
}

template <class T>
std::byte* code_exceptions(const Tile<T>& tile, std::size_t block, unsigned width, std::byte* p) {
  const std::uint16_t mask = tile.exceptions[block];
  store(mask, p);
  p += sizeof mask;
  if (width == 0) return p;
  *p++ = std::byte(width);
  std::uint64_t bits = 0;  // not yet written, `held` of them
  unsigned held = 0;
  for_each_exception(mask, [&](std::size_t i) {
    const std::uint64_t value = sign_to_lowest(tile.verbatim[block * block_values + i]);
    bits |= value << held;
    held += width;
    if (held < 64) return;
    store(bits, p);
    p += sizeof bits;
    held -= 64;
    bits = held == 0 ? 0 : value >> (width - held);
  });
  store(bits, p);
  return p + (held + 7) / 8;
}

// Of blocks without exceptions: whether their widths are close to each other.
[[gnu::always_inline]] inline bool are_close(const std::uint8_t* widths, std::size_t blocks,
                                             unsigned& least) {
  std::uint8_t low = 255;
  std::uint8_t high = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    low = std::min(low, widths[b]);
    high = std::max(high, widths[b]);
  }
  least = low;
  return high <= low + bounded::most_above_base;
}

[[gnu::always_inline]] inline std::byte* code_close(const std::uint8_t* widths, std::size_t blocks,
                                                    unsigned least, std::byte* p) {
  const std::size_t size = bounded::close_codes_size(blocks);
  std::uint8_t codes[bounded::close_codes_size(tile_blocks)] = {};
  for (std::size_t quarter = 0; quarter < 4; ++quarter) {
    const std::size_t first = quarter * size;
    for (std::size_t i = 0; i < size && first + i < blocks; ++i) {
      const unsigned code = widths[first + i] - least;
      codes[i] = static_cast<std::uint8_t>(codes[i] | code << 2 * quarter);
    }
  }
  std::memcpy(p, codes, size);
  return p + size;
}

inline std::size_t sparse_size(std::size_t used) {
  return sizeof(std::uint64_t) + (used + 1) / 2;
}

// The codes of a tile's blocks, and in which form they stand there.
struct TileCodes {
  std::uint8_t codes[tile_blocks + 2];  // 0 to 15
  unsigned base = 0;
  bounded::TileKind kind = bounded::TileKind::dense;
  bool escapes = false;
};

[[gnu::always_inline]] inline bool choose_close(const std::uint8_t* widths, std::size_t blocks,
                                                TileCodes& to) {
  unsigned least = 0;
  if (!are_close(widths, blocks, least)) return false;
  std::size_t used = 0;
  for (std::size_t b = 0; b < blocks; ++b) used += widths[b] != 0;
  if (sparse_size(used) <= bounded::close_codes_size(blocks)) return false;
  to.base = least;
  to.kind = bounded::TileKind::close;
  return true;
}

// For a close tile the codes are left out. `part`: of a masked tile.
template <class T>
void choose_codes(const Tile<T>& tile, const std::uint8_t* widths, bool part, TileCodes& to) {
  const std::size_t blocks = tile.blocks();
  if (!tile.any_exceptions) {
    if (blocks == tile_blocks && choose_close(widths, tile_blocks, to)) return;
    if (part && choose_close(widths, blocks, to)) return;
  }
  to.base = width_base(widths);
  widths_to_codes(widths, to.base, to.codes);
  if (tile.any_exceptions) {
    for (std::size_t b = 0; b < blocks; ++b) {
      if (tile.exceptions[b] != 0) to.codes[b] = bounded::code_exceptions;
    }
  }
  std::size_t used = 0;
  unsigned highest = 0;
  for (std::size_t b = 0; b < tile_blocks; ++b) {
    used += to.codes[b] != 0;
    highest = std::max<unsigned>(highest, to.codes[b]);
  }
  to.escapes = highest >= bounded::code_wide;
  if (sparse_size(used) < (blocks + 1) / 2) to.kind = bounded::TileKind::sparse;
}

template <class T>
std::byte* write_codes(const Tile<T>& tile, const TileCodes& codes, const std::uint8_t* widths,
                       std::byte* p) {
  if (codes.kind == bounded::TileKind::close) {
    return tile.blocks() == tile_blocks ? code_close(widths, tile_blocks, codes.base, p)
                                        : code_close(widths, tile.blocks(), codes.base, p);
  }
  if (codes.kind == bounded::TileKind::sparse) {
    std::uint8_t gathered[tile_blocks + 2];
    std::memcpy(gathered, codes.codes, tile_blocks);
    p = code_sparse(gathered, p);
  } else {
    const std::size_t blocks = tile.blocks();
    pack_nibbles(codes.codes, blocks + (blocks & 1), p);
    p += (blocks + 1) / 2;
  }
  return codes.escapes ? code_escapes(tile, codes.codes, widths, p) : p;
}

template <class T>
std::byte* write_block_with_exceptions(const Tile<T>& tile, std::size_t block,
                                       const typename Lane<T>::Unsigned* residuals, unsigned width,
                                       std::byte* p) {
  const ExceptionForm form = exception_form(tile, block, width);
  if (form.words) return code_words(tile, block, p);
  Block<typename Lane<T>::Unsigned>::load(residuals + block * block_values).pack(width, p);
  return code_exceptions(tile, block, form.kept_width, p + packed_size(width));
}

// Returns the size. Needs max_tile_size() bytes and block_slack behind them. `widths` has
// tile_blocks entries, those behind the tile 0.
template <class T>
std::size_t code_blocks(const Tile<T>& tile, Predictor predictor,
                        const typename Lane<T>::Unsigned* residuals, const std::uint8_t* widths,
                        bool part, std::byte* out) {
  using B = Block<typename Lane<T>::Unsigned>;
  TileCodes codes;
  choose_codes(tile, widths, part, codes);
  std::byte* p = out;
  *p++ = bounded::kind_byte(codes.kind, predictor);
  *p++ = std::byte(codes.base);
  p = write_codes(tile, codes, widths, p);
  for (std::size_t b = 0; b < tile.blocks(); ++b) {
    if (tile.any_exceptions && tile.exceptions[b] != 0) {
      p = write_block_with_exceptions(tile, b, residuals, widths[b], p);
      continue;
    }
    B::load(residuals + b * block_values).pack(widths[b], p);
    p += packed_size(widths[b]);
  }
  return static_cast<std::size_t>(p - out);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
