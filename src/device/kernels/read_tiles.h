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

// The codes of one tile's blocks; of a close tile the widths. `reading.at` moves behind them.
template <class T>
TIGHTWIRE_KERNEL bool read_codes(auto& lanes, Reading& reading, TileKind kind, unsigned first,
                                 unsigned blocks, unsigned base, ChunkMemory<T>& chunk) {
  const std::uint8_t* in = reading.in + reading.at;
  if (kind == TileKind::close) {
    if (blocks != tile_blocks || !reading.has(close_codes)) return false;
    reading.at += close_codes;
    lanes.each(blocks, [&, in](unsigned b) {
      const unsigned code = in[b % close_codes] >> 2 * (b / close_codes) & most_above_base;
      chunk.codes[first + b] = 0;
      chunk.widths[first + b] = static_cast<std::uint8_t>(base + code);
    });
    return true;
  }
  std::uint64_t map = ~std::uint64_t{0} >> (tile_blocks - blocks);
  if (kind == TileKind::sparse) {
    if (!reading.has(map_size)) return false;
    std::uint64_t given = 0;
    for (unsigned i = 0; i < map_size; ++i) given |= std::uint64_t{in[i]} << 8 * i;
    if ((given & ~map) != 0) return false;
    map = given;
    in += map_size;
    reading.at += map_size;
  }
  const unsigned used = ones_in(map);
  const unsigned size = (used + 1) / 2;
  if (!reading.has(size) || (used % 2 != 0 && half_byte(in, used) != 0)) return false;
  reading.at += size;
  lanes.each(blocks, [&, in](unsigned b) {
    const std::uint64_t below = map & ((std::uint64_t{1} << b) - 1);
    const unsigned code = (map >> b & 1) == 0 ? 0 : half_byte(in, ones_in(below));
    chunk.codes[first + b] = static_cast<std::uint8_t>(code);
    chunk.widths[first + b] = static_cast<std::uint8_t>(code == 0 ? 0 : base + code);
    if (code >= code_wide) lanes.set_bits(chunk.any_escapes, 1);
  });
  return true;
}

// Counts those before each block, which are in chunk.at then.
template <class T>
TIGHTWIRE_KERNEL void count_escapes(auto& lanes, unsigned first, unsigned blocks,
                                    ChunkMemory<T>& chunk) {
  lanes.each(blocks, [&](unsigned b) {
    std::uint32_t before = 0;
    for (unsigned i = first; i < first + b; ++i) before += chunk.codes[i] >= code_wide;
    chunk.at[first + b] = before;
    if (b + 1 == blocks) chunk.escapes = before + (chunk.codes[first + b] >= code_wide);
  });
}

// Which they are stands behind the block's residuals; until then they are all of it.
template <class T>
TIGHTWIRE_KERNEL void note_some(auto& lanes, unsigned block, ChunkMemory<T>& chunk) {
  chunk.exceptions[block] = 0xffff;
  lanes.set_bits(chunk.any_exceptions, 1);
}

template <class T>
TIGHTWIRE_KERNEL bool read_escapes(auto& lanes, Reading& reading, unsigned first, unsigned blocks,
                                   ChunkMemory<T>& chunk) {
  if (chunk.any_escapes == 0) return true;
  count_escapes(lanes, first, blocks, chunk);
  const std::uint32_t escapes = chunk.escapes;
  if (!reading.has(escapes)) return false;
  const std::uint8_t* const in = reading.in + reading.at;
  reading.at += escapes;
  lanes.each(blocks, [&](unsigned b) {
    if (b == 0) chunk.any_escapes = 0;
    const unsigned block = first + b;
    const unsigned code = chunk.codes[block];
    if (code < code_wide) return;
    const unsigned escape = in[chunk.at[block]];
    const bool flag = (escape & exceptions_have_values) != 0;
    const bool words = code == code_exceptions && escape == codec::bounded::block_of_words;
    if (flag != (code == code_exceptions) || words) lanes.set_bits(chunk.bad, 1);
    chunk.widths[block] = static_cast<std::uint8_t>(escape & ~exceptions_have_values);
    if (code == code_exceptions) note_some(lanes, block, chunk);
  });
  return true;
}

// Reads the mask of a block with exceptions behind its residuals. Returns the size of them, 0 if
// they are damaged.
template <class T>
TIGHTWIRE_KERNEL std::uint32_t read_mask(const Reading& reading, std::uint32_t at, unsigned lanes,
                                         std::uint32_t& mask) {
  if (reading.size < 3 || at > reading.size - 3) return 0;
  mask = reading.in[at] | std::uint32_t{reading.in[at + 1]} << 8;
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
  chunk.total = at - reading.at;
}

template <class T>
TIGHTWIRE_KERNEL std::uint32_t packed_between(const ChunkMemory<T>& chunk, unsigned first,
                                              unsigned end) {
  std::uint32_t size = 0;
  for (unsigned b = first; b < end; ++b) size += packed_size(chunk.widths[b]);
  return size;
}

// Of a tile without exceptions: each block behind those before it.
template <class T>
TIGHTWIRE_KERNEL void line_up_blocks(auto& lanes, std::uint32_t at, unsigned first, unsigned blocks,
                                     ChunkMemory<T>& chunk) {
  lanes.each(parts_of(blocks, group_blocks), [&](unsigned group) {
    const unsigned begin = first + group * group_blocks;
    const unsigned there = part_at(blocks, group_blocks, group);
    chunk.groups[group] = packed_between(chunk, begin, begin + there);
  });
  lanes.each(blocks, [&](unsigned b) {
    const unsigned group = b / group_blocks;
    std::uint32_t before = packed_between(chunk, first + group * group_blocks, first + b);
    for (unsigned i = 0; i < group; ++i) before += chunk.groups[i];
    chunk.at[first + b] = at + before;
    if (b + 1 == blocks) chunk.total = before + packed_size(chunk.widths[first + b]);
  });
}

template <class T>
TIGHTWIRE_KERNEL bool place_blocks_read(auto& lanes, Reading& reading, unsigned count,
                                        unsigned first, unsigned blocks, ChunkMemory<T>& chunk) {
  if (chunk.any_exceptions != 0) {
    lanes.each(1, [&](unsigned) { walk_blocks(reading, count, first, blocks, chunk); });
  } else {
    line_up_blocks(lanes, reading.at, first, blocks, chunk);
  }
  const std::uint32_t total = chunk.total;
  if (!reading.has(total)) return false;
  reading.at += total;
  return true;
}

template <class T>
TIGHTWIRE_KERNEL void read_run(auto& lanes, unsigned first, unsigned blocks,
                               ChunkMemory<T>& chunk) {
  lanes.each(blocks, [&](unsigned b) {
    chunk.widths[first + b] = 0;
    chunk.at[first + b] = 0;
  });
}

// Places and widths of all blocks. False where the encoding is damaged, or none of the profile.
template <class T>
TIGHTWIRE_KERNEL bool read_tiles(auto& lanes, Reading& reading, unsigned count,
                                 ChunkMemory<T>& chunk) {
  const unsigned tiles = parts_of(count, tile_values);
  for (unsigned t = 0; t < tiles;) {
    TileKind kind{};
    unsigned base = 0;
    if (!read_kind(reading, kind, base)) return false;
    const unsigned first = t * tile_blocks;
    if (kind == TileKind::run) {
      t += base + 1;
      if (t > tiles) return false;
      const unsigned end = t == tiles ? parts_of(count, block_values) : t * tile_blocks;
      read_run(lanes, first, end - first, chunk);
      continue;
    }
    const unsigned blocks = blocks_of(count, t);
    if (base > sizeof(T) * 8 || !read_codes(lanes, reading, kind, first, blocks, base, chunk) ||
        !read_escapes(lanes, reading, first, blocks, chunk) ||
        !place_blocks_read(lanes, reading, count, first, blocks, chunk)) {
      return false;
    }
    ++t;
  }
  return reading.at == reading.size;
}

}  // namespace tightwire::device
