// The walk along the tiles of an encoding: where each begins, and the masks of its exceptions. The
// bytes are not trusted.
#pragma once

#include "device/kernels/tiles.h"

namespace tightwire::device {

// What all lanes know alike of the place that reading has come to.
struct Reading {
  const std::uint8_t* in;
  std::uint32_t size;
  std::uint32_t at = header_size;
  bool known = false;  // the predictor
  Predictor predictor = Predictor::none;

  TIGHTWIRE_KERNEL bool has(std::uint32_t bytes) const { return size - at >= bytes; }
};

// Whether the profile has tiles that begin with this byte, and this one's chunk does.
TIGHTWIRE_KERNEL bool take_kind(Reading& reading, unsigned byte) {
  const auto kind = static_cast<TileKind>(byte & 15);
  const auto predictor = static_cast<Predictor>(byte >> 4);
  if (predictor > Predictor::second || (reading.known && predictor != reading.predictor)) {
    return false;
  }
  reading.predictor = predictor;
  reading.known = true;
  return kind == TileKind::dense || kind == TileKind::sparse || kind == TileKind::run ||
         kind == TileKind::close;
}

TIGHTWIRE_KERNEL unsigned half_byte(const std::uint8_t* in, unsigned number) {
  return in[number / 2] >> 4 * (number % 2) & 15;
}

// What is added up over the codes of a tile, in one word.
struct CodeSums {
  std::uint32_t above;       // of widths that codes tell, above the base
  std::uint32_t told;        // blocks of these
  std::uint32_t escapes;     // blocks whose code needs a byte more
  std::uint32_t exceptions;  // those of them that have some

  TIGHTWIRE_KERNEL explicit CodeSums(std::uint32_t packed)
      : above(packed & 0x3ff),
        told(packed >> 10 & 0x7f),
        escapes(packed >> 17 & 0x7f),
        exceptions(packed >> 24) {}
};
static_assert(tile_blocks * code_wide <= 0x3ff && tile_blocks <= 0x7f);

TIGHTWIRE_KERNEL std::uint32_t sums_of_code(unsigned code) {
  if (code == 0) return 0;
  if (code < code_wide) return code | 1u << 10;
  return 1u << 17 | (code == code_exceptions ? 1u << 24 : 0u);
}
TIGHTWIRE_KERNEL std::uint32_t sums_of_codes(unsigned byte) {
  return sums_of_code(byte & 15) + sums_of_code(byte >> 4);
}
// Of four blocks of a close tile.
TIGHTWIRE_KERNEL std::uint32_t sums_of_close(unsigned byte) {
  const unsigned pairs = (byte & 0x33) + (byte >> 2 & 0x33);
  return (pairs & 15) + (pairs >> 4) + (4u << 10);
}

TIGHTWIRE_KERNEL std::uint64_t read_map(const std::uint8_t* in) {
  std::uint64_t map = 0;
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < map_size; ++i) map |= std::uint64_t{in[i]} << 8 * i;
  return map;
}

// The code of a block of a tile that is dense or sparse.
TIGHTWIRE_KERNEL unsigned code_in(const std::uint8_t* codes, std::uint64_t map, unsigned b) {
  if ((map >> b & 1) == 0) return 0;
  return half_byte(codes, ones_in(map & ((std::uint64_t{1} << b) - 1)));
}

// Reads the mask of a block with exceptions behind its residuals. Returns the size of them, 0 if
// they are damaged.
template <class T>
TIGHTWIRE_KERNEL std::uint32_t read_mask(const Reading& reading, std::uint32_t at, unsigned lanes,
                                         std::uint16_t& mask) {
  if (reading.size < 3 || at > reading.size - 3) return 0;
  mask = static_cast<std::uint16_t>(reading.in[at] | reading.in[at + 1] << 8);
  const bool sound = mask != 0 && mask >> lanes == 0 && reading.in[at + 2] == sizeof(T) * 8;
  return sound ? exceptions_size<T>(mask) : 0;
}

// Of a tile that has blocks with exceptions: where its codes and the bytes of its escapes stand.
struct TileCodes {
  const std::uint8_t* codes;
  std::uint64_t map;
  const std::uint8_t* escapes;
  unsigned base;
};

// Widths of all its blocks. Leaves in chunk.at what is before each: bytes of residuals and, above
// them, blocks with exceptions.
template <class T>
TIGHTWIRE_KERNEL void note_widths(auto& lanes, const TileCodes& tile, unsigned first,
                                  unsigned blocks, ChunkMemory<T>& chunk) {
  std::uint32_t* const at = &chunk.at[first];
  lanes.each(blocks, [&](unsigned b) {
    const unsigned code = code_in(tile.codes, tile.map, b);
    chunk.codes[first + b] = static_cast<std::uint8_t>(code);
    at[b] = code >= code_wide;
  });
  lanes.sum_before(at, blocks);
  lanes.each(blocks, [&](unsigned b) {
    const unsigned code = chunk.codes[first + b];
    const bool exceptions = code == code_exceptions;
    unsigned width = code == 0 ? 0 : tile.base + code;
    if (code >= code_wide) {
      const unsigned escape = tile.escapes[at[b]];
      width = escape & ~exceptions_have_values;
      const bool flag = (escape & exceptions_have_values) != 0;
      const bool words = exceptions && escape == codec::bounded::block_of_words;
      if (flag != exceptions || words) lanes.set_bits(chunk.bad, 1);
    }
    if (width > sizeof(T) * 8) lanes.set_bits(chunk.bad, 1);
    chunk.widths[first + b] = static_cast<std::uint8_t>(width);
    chunk.exceptions[first + b] = 0;
    at[b] = packed_size(width) | (exceptions ? 1u << 16 : 0u);
  });
  lanes.sum_before(at, blocks);
}
static_assert(tile_blocks * block_values / 8 * 255 < 1u << 16);

// The masks of a tile's blocks with exceptions, of which each says itself how long it is. All that
// are as long as the one before them are found at once. Returns their size, 0 where they are
// damaged.
template <class T>
TIGHTWIRE_KERNEL std::uint32_t read_masks(auto& lanes, const Reading& reading, unsigned count,
                                          unsigned first, unsigned blocks, unsigned exceptions,
                                          ChunkMemory<T>& chunk) {
  constexpr unsigned all = ~0u;
  std::uint32_t guess = exceptions_size<T>(whole_block);
  std::uint32_t before = 0;  // bytes of those that are known
  for (unsigned known = 0; known < exceptions;) {
    // The first one that is not as long, with its length.
    const std::uint32_t other = lanes.least(blocks, [&](unsigned b) {
      const unsigned block = first + b;
      const unsigned number = chunk.at[block] >> 16;
      if (chunk.codes[block] != code_exceptions || number < known) return all;
      const std::uint32_t at = reading.at + (chunk.at[block] & 0xffff) +
                               packed_size(chunk.widths[block]) + before + (number - known) * guess;
      const std::uint32_t size =
          read_mask<T>(reading, at, lanes_of(count, block), chunk.exceptions[block]);
      return size == guess ? all : number << 16 | size;
    });
    if (other == all) return before + (exceptions - known) * guess;
    if ((other & 0xffff) == 0) return 0;
    before += ((other >> 16) - known) * guess + (other & 0xffff);
    known = (other >> 16) + 1;
    guess = other & 0xffff;
  }
  return before;
}

// A tile that is no run, behind its first byte. `reading.at` moves to where it ends. False where it
// is damaged.
template <class T>
TIGHTWIRE_KERNEL bool walk_tile(auto& lanes, Reading& reading, TileKind kind, unsigned base,
                                std::uint32_t packed_sums, unsigned count, unsigned t,
                                ChunkMemory<T>& chunk) {
  const unsigned first = t * tile_blocks;
  const unsigned blocks = blocks_of(count, t);
  const std::uint32_t begin = reading.at + 2;
  const std::uint8_t* codes = reading.in + begin;
  std::uint64_t map = ~std::uint64_t{0} >> (tile_blocks - blocks);
  unsigned used = blocks;
  if (base > sizeof(T) * 8) return false;
  if (kind == TileKind::close && blocks != tile_blocks) return false;
  if (kind == TileKind::sparse) {
    const std::uint64_t given = read_map(codes);
    if ((given & ~map) != 0) return false;
    map = given;
    used = ones_in(map);
    codes += map_size;
    packed_sums = lanes.sum((used + 1) / 2, [&](unsigned i) { return sums_of_codes(codes[i]); });
  }
  const CodeSums sums(packed_sums);
  const unsigned length = kind == TileKind::close ? close_codes : (used + 1) / 2;
  const auto escapes_at = static_cast<std::uint32_t>(codes - reading.in) + length;
  const std::uint32_t blocks_at = escapes_at + sums.escapes;
  if (blocks_at > reading.size) return false;
  if (kind != TileKind::close && used % 2 != 0 && half_byte(codes, used) != 0) return false;
  reading.at = blocks_at;
  std::uint32_t widths = sums.told * base + sums.above;
  if (sums.escapes != 0) {
    widths += lanes.sum(sums.escapes, [&](unsigned i) {
      return reading.in[escapes_at + i] & ~exceptions_have_values;
    });
  }
  std::uint32_t bytes = packed_size(widths);
  if (sums.exceptions != 0) {
    note_widths(lanes, {codes, map, reading.in + escapes_at, base}, first, blocks, chunk);
    const std::uint32_t more =
        read_masks(lanes, reading, count, first, blocks, sums.exceptions, chunk);
    if (more == 0) return false;
    bytes += more;
  }
  lanes.each(1, [&](unsigned) {
    chunk.tiles[t] = {
        kind,     static_cast<std::uint8_t>(base), sums.exceptions != 0, begin, sums.escapes,
        blocks_at};
    if (sums.exceptions != 0) chunk.any_exceptions = 1;
    if (sums.escapes != 0) chunk.any_escapes = 1;
  });
  if (!reading.has(bytes)) return false;
  reading.at += bytes;
  return true;
}

TIGHTWIRE_KERNEL void note_run(auto& lanes, TileHead* tiles, unsigned t, unsigned end) {
  lanes.each(end - t, [&](unsigned i) { tiles[t + i] = {TileKind::run, 0, false, 0, 0, 0}; });
}

// Where each tile begins, and what codes and blocks with exceptions tell of it. False where the
// encoding is damaged, or none of the profile. Whoever walks is waited for by all others, so little
// is read of each tile, and that at once: bytes behind the encoding are read too, but do not count.
template <class T>
TIGHTWIRE_KERNEL bool walk_tiles(auto& lanes, Reading& reading, unsigned count,
                                 ChunkMemory<T>& chunk) {
  const unsigned tiles = parts_of(count, tile_values);
  for (unsigned t = 0; t < tiles;) {
    const std::uint8_t* const in = reading.in + reading.at;
    const unsigned first = in[0];
    const unsigned base = in[1];
    const auto kind = static_cast<TileKind>(first & 15);
    const unsigned bytes = (blocks_of(count, t) + 1) / 2;
    const std::uint32_t sums = lanes.sum(tile_blocks / 2, [&](unsigned i) {
      const unsigned codes = in[2 + i];
      if (kind == TileKind::close) return i < close_codes ? sums_of_close(codes) : 0u;
      return i < bytes ? sums_of_codes(codes) : 0u;
    });
    if (!reading.has(2) || !take_kind(reading, first)) return false;
    if (kind == TileKind::run) {
      const unsigned end = t + base + 1;
      if (end > tiles) return false;
      note_run(lanes, chunk.tiles, t, end);
      reading.at += 2;
      t = end;
      continue;
    }
    if (!walk_tile(lanes, reading, kind, base, sums, count, t, chunk)) return false;
    ++t;
  }
  return reading.at == reading.size;
}

}  // namespace tightwire::device
