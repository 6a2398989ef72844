// The codes in front of a tile's blocks.
#pragma once

#include "codec/simd/generic/tile.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

struct Input {
  const std::byte* p;
  const std::byte* end;
  std::size_t size() const { return static_cast<std::size_t>(end - p); }
};

struct BlockCodes {
  // Those of the first blocks become those of the ones that are not left out.
  void spread(const bool* left_out, std::size_t blocks, std::size_t given) {
    for (std::size_t b = blocks; b-- > 0;) {
      const std::size_t from = left_out[b] ? tile_blocks : --given;
      widths[b] = left_out[b] ? std::uint8_t{0} : widths[from];
      if (!any_exceptions) continue;
      codes[b] = left_out[b] ? std::uint8_t{0} : codes[from];
      have_values[b] = left_out[b] ? std::uint8_t{0} : have_values[from];
      words[b] = !left_out[b] && words[from];
    }
  }

  bool any_exceptions = false;
  bool any_words = false;
  std::size_t payload = 0;          // bytes of all blocks, exceptions apart
  std::uint8_t codes[tile_blocks];  // set where any_exceptions is
  std::uint8_t widths[tile_blocks];
  std::uint8_t have_values[tile_blocks];
  bool words[tile_blocks];  // set where any_exceptions is

  void clear() {
    any_exceptions = false;
    any_words = false;
    payload = 0;
    std::memset(codes, 0, sizeof codes);
    std::memset(widths, 0, sizeof widths);
  }
};

inline void unpack_nibbles(const std::byte* in, std::uint8_t* nibbles) {
  for (std::size_t i = 0; i < tile_blocks / 2; ++i) {
    const auto two = static_cast<std::uint8_t>(in[i]);
    nibbles[2 * i] = two & 15;
    nibbles[2 * i + 1] = two >> 4;
  }
}

inline bool read_dense_codes(Input& in, std::size_t blocks, BlockCodes& codes) {
  const std::size_t size = (blocks + 1) / 2;
  if (in.size() < size) return false;
  std::byte nibbles[tile_blocks / 2] = {};
  std::memcpy(nibbles, in.p, size);
  in.p += size;
  unpack_nibbles(nibbles, codes.codes);
  // The half byte behind an odd number of blocks is reserved.
  return blocks % 2 == 0 || codes.codes[blocks] == 0;
}

// Widths only: there is no place for escapes.
inline bool read_close_widths(Input& in, std::size_t blocks, unsigned base, BlockCodes& codes) {
  const std::size_t size = bounded::close_codes_size(blocks);
  if (in.size() < size) return false;
  for (std::size_t quarter = 0; quarter < 4; ++quarter) {
    for (std::size_t i = 0; i < size; ++i) {
      const auto code = static_cast<unsigned>(in.p[i]) >> 2 * quarter & bounded::most_above_base;
      codes.widths[quarter * size + i] = static_cast<std::uint8_t>(base + code);
    }
  }
  std::memset(codes.widths + blocks, 0, 4 * size - blocks);
  std::memset(codes.widths + 4 * size, 0, tile_blocks - 4 * size);
  in.p += size;
  return true;
}

inline bool read_sparse_codes(Input& in, std::size_t blocks, BlockCodes& codes) {
  std::uint64_t map = 0;
  if (in.size() < sizeof map) return false;
  map = load<std::uint64_t>(in.p);
  in.p += sizeof map;
  if ((map & ~(~std::uint64_t{0} >> (tile_blocks - blocks))) != 0) return false;
  const auto used = static_cast<std::size_t>(std::popcount(map));
  const std::size_t size = (used + 1) / 2;
  if (in.size() < size) return false;
  std::byte nibbles[tile_blocks / 2] = {};
  std::memcpy(nibbles, in.p, size);
  in.p += size;
  std::uint8_t gathered[tile_blocks];
  unpack_nibbles(nibbles, gathered);
  if (used % 2 != 0 && gathered[used] != 0) return false;
  std::memset(codes.codes, 0, sizeof codes.codes);
  for (std::size_t i = 0; i < used; ++i, map &= map - 1) {
    codes.codes[std::countr_zero(map)] = gathered[i];
  }
  return true;
}

inline bool read_escapes(Input& in, std::size_t blocks, BlockCodes& codes) {
  for (std::size_t b = 0; b < blocks; ++b) {
    codes.have_values[b] = 0;
    codes.words[b] = false;
    if (codes.codes[b] < bounded::code_wide) continue;
    if (in.size() == 0) return false;
    const auto escape = static_cast<std::uint8_t>(*in.p++);
    codes.widths[b] = escape;
    if (codes.codes[b] != bounded::code_exceptions) continue;
    codes.any_exceptions = true;
    if (escape == bounded::block_of_words) {
      codes.words[b] = codes.any_words = true;
      codes.widths[b] = 0;
      continue;
    }
    codes.have_values[b] = escape & bounded::exceptions_have_values;
    codes.widths[b] = static_cast<std::uint8_t>(escape & ~bounded::exceptions_have_values);
  }
  return true;
}

inline bool read_coded_widths(Input& in, std::size_t blocks, unsigned base, bool sparse,
                              BlockCodes& codes) {
  const bool read =
      sparse ? read_sparse_codes(in, blocks, codes) : read_dense_codes(in, blocks, codes);
  if (!read) return false;
  std::uint8_t highest = 0;
  for (std::size_t b = 0; b < tile_blocks; ++b) {
    const std::uint8_t code = codes.codes[b];
    codes.widths[b] = code == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(base + code);
    highest = std::max(highest, code);
  }
  return highest < bounded::code_wide || read_escapes(in, blocks, codes);
}

// Leaves `in` at the first block. False: damaged.
inline bool read_codes(Input& in, std::size_t blocks, unsigned widest, bounded::TileKind kind,
                       BlockCodes& codes) {
  codes.any_exceptions = false;
  codes.any_words = false;
  if (in.size() == 0) return false;
  const auto base = static_cast<unsigned>(*in.p++);
  if (base > widest) return false;
  const bool read =
      kind == bounded::TileKind::close
          ? read_close_widths(in, blocks, base, codes)
          : read_coded_widths(in, blocks, base, kind == bounded::TileKind::sparse, codes);
  if (!read) return false;
  unsigned bits = 0;
  std::uint8_t most = 0;
  for (std::size_t b = 0; b < tile_blocks; ++b) {
    bits += codes.widths[b];
    most = std::max(most, codes.widths[b]);
  }
  codes.payload = packed_size(bits);
  return most <= widest;
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
