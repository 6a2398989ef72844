// Where the blocks of an encoding stand, tile by tile. The bytes are not trusted.
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

// Of the next tile. False where it is none of the profile.
TIGHTWIRE_KERNEL bool read_kind(Reading& reading, TileKind& kind, unsigned& next) {
  if (!reading.has(2)) return false;
  const unsigned first = reading.in[reading.at];
  next = reading.in[reading.at + 1];
  reading.at += 2;
  kind = static_cast<TileKind>(first & 15);
  const auto predictor = static_cast<Predictor>(first >> 4);
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

// What is added up over the blocks of a tile.
struct TileSums {
  std::uint32_t bytes;       // of blocks whose width is known
  std::uint32_t escapes;     // blocks whose code needs a byte more
  std::uint32_t exceptions;  // blocks that have some

  TIGHTWIRE_KERNEL explicit TileSums(std::uint32_t packed)
      : bytes(packed & 0xffff), escapes(packed >> 16 & 0xff), exceptions(packed >> 24) {}
};
// Of a block, beside the bytes. Widths have eight bits, so the sums of these fit.
inline constexpr std::uint32_t escape_in_sums = 1u << 16;
inline constexpr std::uint32_t exceptions_in_sums = 1u << 24;
static_assert(tile_blocks * block_values / 8 * 255 < escape_in_sums);

// Of residuals that are no longer than values. Nobody looks at chunk.bad before all is walked.
template <class T>
TIGHTWIRE_KERNEL void note_width(auto& lanes, unsigned block, unsigned width,
                                 ChunkMemory<T>& chunk) {
  if (width > sizeof(T) * 8) lanes.set_bits(chunk.bad, 1);
  chunk.widths[block] = static_cast<std::uint8_t>(width);
}

// Notes the code of a block, and its width where the code tells it. Returns its part of the sums.
template <class T>
TIGHTWIRE_KERNEL std::uint32_t note_code(auto& lanes, unsigned block, unsigned code, unsigned width,
                                         ChunkMemory<T>& chunk) {
  chunk.codes[block] = static_cast<std::uint8_t>(code);
  chunk.exceptions[block] = 0;
  // One that the code does not tell is read later.
  note_width(lanes, block, code >= code_wide ? 0 : width, chunk);
  return code >= code_wide ? escape_in_sums : packed_size(width);
}

// The codes of one tile's blocks; of a close tile the widths. `reading.at` moves behind them, also
// where they are none.
template <class T>
TIGHTWIRE_KERNEL TileSums read_codes(auto& lanes, Reading& reading, TileKind kind, unsigned first,
                                     unsigned blocks, unsigned base, std::uint64_t map,
                                     ChunkMemory<T>& chunk) {
  const std::uint8_t* const in = reading.in + reading.at;
  if (kind == TileKind::close) {
    reading.at += close_codes;
    return TileSums(lanes.sum(blocks, [&](unsigned b) {
      const unsigned code = in[b % close_codes] >> 2 * (b / close_codes) & most_above_base;
      return note_code(lanes, first + b, 0, base + code, chunk);
    }));
  }
  reading.at += (ones_in(map) + 1) / 2;
  if (kind == TileKind::dense) {
    return TileSums(lanes.sum(blocks, [&](unsigned b) {
      const unsigned code = half_byte(in, b);
      return note_code(lanes, first + b, code, code == 0 ? 0 : base + code, chunk);
    }));
  }
  return TileSums(lanes.sum(blocks, [&](unsigned b) {
    const std::uint64_t below = map & ((std::uint64_t{1} << b) - 1);
    const unsigned code = (map >> b & 1) == 0 ? 0 : half_byte(in, ones_in(below));
    return note_code(lanes, first + b, code, code == 0 ? 0 : base + code, chunk);
  }));
}

// Which blocks of a tile have a code; `reading.at` moves behind it. False where codes cannot be.
TIGHTWIRE_KERNEL bool read_map(Reading& reading, TileKind kind, unsigned blocks,
                               std::uint64_t& map) {
  if (kind == TileKind::close) return blocks == tile_blocks && reading.has(close_codes);
  map = ~std::uint64_t{0} >> (tile_blocks - blocks);
  if (kind == TileKind::sparse) {
    if (!reading.has(map_size)) return false;
    std::uint64_t given = 0;
    for (unsigned i = 0; i < map_size; ++i) {
      given |= std::uint64_t{reading.in[reading.at + i]} << 8 * i;
    }
    if ((given & ~map) != 0) return false;
    map = given;
    reading.at += map_size;
  }
  const unsigned used = ones_in(map);
  return reading.has((used + 1) / 2) &&
         (used % 2 == 0 || half_byte(reading.in + reading.at, used) == 0);
}

// Counts those before each block, which are in chunk.at then.
template <class T>
TIGHTWIRE_KERNEL void count_escapes(auto& lanes, unsigned first, unsigned blocks,
                                    ChunkMemory<T>& chunk) {
  lanes.each(blocks, [&](unsigned b) {
    std::uint32_t before = 0;
    for (unsigned i = first; i < first + b; ++i) before += chunk.codes[i] >= code_wide;
    chunk.at[first + b] = before;
  });
}

// Widths of blocks whose code does not tell them. Which values are exceptions stands behind the
// block's residuals; until then they are all of it.
template <class T>
TIGHTWIRE_KERNEL bool read_escapes(auto& lanes, Reading& reading, unsigned first, unsigned blocks,
                                   TileSums& sums, ChunkMemory<T>& chunk) {
  if (!reading.has(sums.escapes)) return false;
  count_escapes(lanes, first, blocks, chunk);
  const std::uint8_t* const in = reading.in + reading.at;
  reading.at += sums.escapes;
  const TileSums more(lanes.sum(blocks, [&](unsigned b) {
    const unsigned block = first + b;
    const unsigned code = chunk.codes[block];
    if (code < code_wide) return 0u;
    const unsigned escape = in[chunk.at[block]];
    const unsigned width = escape & ~exceptions_have_values;
    const bool flag = (escape & exceptions_have_values) != 0;
    const bool words = code == code_exceptions && escape == codec::bounded::block_of_words;
    if (flag != (code == code_exceptions) || words) lanes.set_bits(chunk.bad, 1);
    note_width(lanes, block, width, chunk);
    if (code != code_exceptions) return packed_size(width);
    chunk.exceptions[block] = 0xffff;
    lanes.set_bits(chunk.any_exceptions, 1);
    return packed_size(width) + exceptions_in_sums;
  }));
  sums.bytes += more.bytes;
  sums.exceptions = more.exceptions;
  return true;
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

// One after the other, since a block with exceptions says itself how long it is.
template <class T>
TIGHTWIRE_KERNEL void walk_blocks(const Reading& reading, unsigned count, unsigned first,
                                  unsigned blocks, ChunkMemory<T>& chunk) {
  std::uint32_t at = reading.at;
  for (unsigned b = first; b < first + blocks; ++b) {
    chunk.at[b] = at;
    at += packed_size(chunk.widths[b]);
    if (chunk.codes[b] != code_exceptions) continue;
    const std::uint32_t more = read_mask<T>(reading, at, lanes_of(count, b), chunk.exceptions[b]);
    if (more == 0) chunk.bad = 1;
    at += more;
  }
  chunk.walked_to = at;
}

// What comes before the blocks of a tile. `reading.at` moves to where the tile ends. False where it
// is damaged.
template <class T>
TIGHTWIRE_KERNEL bool read_tile(auto& lanes, Reading& reading, TileKind kind, unsigned base,
                                unsigned count, unsigned t, ChunkMemory<T>& chunk) {
  const unsigned first = t * tile_blocks;
  const unsigned blocks = blocks_of(count, t);
  std::uint64_t map = 0;
  if (base > sizeof(T) * 8 || !read_map(reading, kind, blocks, map)) return false;
  TileSums sums = read_codes(lanes, reading, kind, first, blocks, base, map, chunk);
  if (sums.escapes != 0 && !read_escapes(lanes, reading, first, blocks, sums, chunk)) return false;
  const std::uint32_t begin = reading.at;
  const bool walks = sums.exceptions != 0;
  lanes.each(1, [&](unsigned) {
    chunk.tiles[t] = {kind, 0, walks, 0, 0, begin};
    if (walks) walk_blocks(reading, count, first, blocks, chunk);
  });
  const std::uint32_t bytes = walks ? chunk.walked_to - begin : sums.bytes;
  if (!reading.has(bytes)) return false;
  reading.at += bytes;
  return true;
}

template <class T>
TIGHTWIRE_KERNEL void read_run(auto& lanes, unsigned t, unsigned end, unsigned blocks,
                               ChunkMemory<T>& chunk) {
  const unsigned first = t * tile_blocks;
  lanes.each(blocks, [&](unsigned b) {
    chunk.widths[first + b] = 0;
    chunk.exceptions[first + b] = 0;
    if (b < end - t) chunk.tiles[t + b] = {TileKind::run, 0, false, 0, 0, 0};
  });
}

// Widths of all blocks, and where those of each tile begin. False where the encoding is damaged, or
// none of the profile.
template <class T>
TIGHTWIRE_KERNEL bool walk_tiles(auto& lanes, Reading& reading, unsigned count,
                                 ChunkMemory<T>& chunk) {
  const unsigned tiles = parts_of(count, tile_values);
  for (unsigned t = 0; t < tiles;) {
    TileKind kind{};
    unsigned base = 0;
    if (!read_kind(reading, kind, base)) return false;
    if (kind == TileKind::run) {
      const unsigned end = t + base + 1;
      if (end > tiles) return false;
      const unsigned last = end == tiles ? parts_of(count, block_values) : end * tile_blocks;
      read_run(lanes, t, end, last - t * tile_blocks, chunk);
      t = end;
      continue;
    }
    if (!read_tile(lanes, reading, kind, base, count, t, chunk)) return false;
    ++t;
  }
  return reading.at == reading.size;
}

// Each block of a tile behind those before it, but where they have been placed.
template <class T>
TIGHTWIRE_KERNEL void place_blocks_read(auto& lanes, unsigned count, ChunkMemory<T>& chunk) {
  const unsigned parts = parts_of(count, block_values * part_blocks);
  lanes.each(parts, [&](unsigned p) {
    const PartBlocks<T> blocks(chunk, count, p);
    std::uint32_t size = 0;
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < part_blocks; ++i) size += packed_size(blocks.width(i));
    chunk.parts[p].size = size;
  });
  lanes.each(parts, [&](unsigned p) {
    const TileHead& tile = chunk.tiles[p / tile_parts];
    if (tile.are_placed) return;
    std::uint32_t at = tile.at;
    TIGHTWIRE_UNROLL
    for (unsigned before = 0; before < tile_parts; ++before) {
      if (before < p % tile_parts) at += chunk.parts[p / tile_parts * tile_parts + before].size;
    }
    place_blocks(chunk, PartBlocks<T>(chunk, count, p), at);
  });
}

// Places and widths of all blocks, and the predictor. Sets chunk.bad where the encoding is damaged,
// or none of the profile.
template <class T>
TIGHTWIRE_KERNEL void read_tiles(auto& lanes, const Reading& begin, unsigned count,
                                 ChunkMemory<T>& chunk) {
  lanes.few([&](auto& some) {
    Reading reading = begin;
    const bool sound = walk_tiles(some, reading, count, chunk);
    some.each(1, [&](unsigned) {
      if (!sound) chunk.bad = 1;
      chunk.predictor = reading.predictor;
    });
  });
  if (chunk.bad == 0) place_blocks_read(lanes, count, chunk);
}

}  // namespace tightwire::device
