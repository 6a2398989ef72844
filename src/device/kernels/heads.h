// What stands before the blocks of each tile of an encoding, written by parts.
#pragma once

#include "device/kernels/tiles.h"

namespace tightwire::device {

// Two bits for each block: of four quarters of the tile, one behind the other.
template <class T>
TIGHTWIRE_KERNEL void write_close(const ChunkMemory<T>& chunk, unsigned first, unsigned part,
                                  unsigned base, std::uint8_t* out) {
  constexpr unsigned of_part = close_codes / tile_parts;
  for (unsigned i = part * of_part; i < (part + 1) * of_part; ++i) {
    unsigned codes = 0;
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      codes |= (chunk.widths[first + quarter * close_codes + i] - base) << 2 * quarter;
    }
    out[i] = static_cast<std::uint8_t>(codes);
  }
}

// The first code that is not left out, from `block` on.
template <class T>
TIGHTWIRE_KERNEL unsigned next_code(const ChunkMemory<T>& chunk, unsigned block, unsigned end,
                                    const TileHead& head) {
  for (; block < end; ++block) {
    const unsigned code = code_of(chunk, block, head.base);
    if (code != 0 || head.kind != TileKind::sparse) return code;
  }
  return 0;
}

// The codes of a part of a tile, where it has any, with its part of the map.
template <class T>
TIGHTWIRE_KERNEL void write_part(const ChunkMemory<T>& chunk, unsigned count, unsigned number,
                                 const TileHead& head, std::uint8_t* out) {
  const unsigned t = number / tile_parts;
  const unsigned in_tile = number % tile_parts;
  const unsigned end_of_tile = t * tile_blocks + blocks_of(count, t);
  const bool sparse = head.kind == TileKind::sparse;
  const TilePart& part = chunk.parts[number];
  const PartBlocks<T> blocks(chunk, count, number);
  std::uint8_t* const codes = out + 2 + (sparse ? map_size : 0);
  std::uint8_t* escapes = out + head.length + part.escapes_before;
  unsigned at = sparse ? part.used_before : in_tile * part_blocks;
  unsigned map = 0;
  for (unsigned i = 0; i < blocks.count; ++i) {
    const unsigned code = code_of(chunk, blocks.first + i, head.base);
    if (code == 0 && sparse) continue;
    map |= 1u << i;
    // Half bytes, the first of two in the low half, are written by whoever has that one.
    if (at % 2 == 0) {
      const unsigned next = next_code(chunk, blocks.first + i + 1, end_of_tile, head);
      codes[at / 2] = static_cast<std::uint8_t>(code | next << 4);
    }
    ++at;
    if (code < code_wide) continue;
    const unsigned flag = code == code_exceptions ? exceptions_have_values : 0;
    *escapes++ = static_cast<std::uint8_t>(blocks.width(i) | flag);
  }
  if (sparse) out[2 + in_tile] = static_cast<std::uint8_t>(map);
}

// The tiles of a run from this one on.
TIGHTWIRE_KERNEL unsigned length_of_run(const TileHead* tiles, unsigned t, unsigned end) {
  unsigned length = 1;
  while (t + length < end && tiles[t + length].kind == TileKind::run) ++length;
  return length;
}

// What stands before the blocks of a tile, by parts, of which some may be behind the last value;
// `out` has the encoding. Nothing in the middle of a run.
template <class T>
TIGHTWIRE_KERNEL void write_head(const ChunkMemory<T>& chunk, unsigned count, unsigned number,
                                 Predictor predictor, std::uint8_t* out) {
  const unsigned t = number / tile_parts;
  const TileHead& head = chunk.tiles[t];
  if (size_of_tile(chunk.tiles, t) == 0) return;
  out += head.at;
  const unsigned in_tile = number % tile_parts;
  const bool run = head.kind == TileKind::run;
  if (in_tile == 0) {
    const unsigned tiles = parts_of(count, tile_values);
    out[0] = static_cast<std::uint8_t>(codec::bounded::kind_byte(head.kind, predictor));
    out[1] = static_cast<std::uint8_t>(run ? length_of_run(chunk.tiles, t, tiles) - 1 : head.base);
  }
  if (head.kind == TileKind::close) {
    write_close(chunk, t * tile_blocks, in_tile, head.base, out + 2);
  } else if (!run && number < parts_of(count, block_values * part_blocks)) {
    write_part(chunk, count, number, head, out);
  } else if (head.kind == TileKind::sparse) {
    out[2 + in_tile] = 0;
  }
}

}  // namespace tightwire::device
