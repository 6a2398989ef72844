// How the tiles of a chunk are written: which kind each is, and where it and its blocks stand.
// Parts of a tile have a lane each, so that no lane goes through many blocks.
#pragma once

#include "device/kernels/pack.h"
#include "device/kernels/residuals.h"

namespace tightwire::device {

using codec::bounded::code_exceptions;
using codec::bounded::code_wide;
using codec::bounded::exceptions_have_values;
using codec::bounded::most_above_base;

// Kind, base, codes of blocks.
inline constexpr unsigned close_codes = tile_blocks / 4;
inline constexpr unsigned map_size = 8;
static_assert(map_size == tile_parts);

// Behind the residuals of a block with exceptions: which they are, their width, they themselves.
template <class T>
TIGHTWIRE_KERNEL unsigned exceptions_size(std::uint32_t mask) {
  return mask == 0 ? 0 : 3 + ones_in(mask) * static_cast<unsigned>(sizeof(T));
}

TIGHTWIRE_KERNEL unsigned sparse_size(unsigned used) {
  return map_size + (used + 1) / 2;
}

// Blocks of a part of a tile, with what a lane needs of all of them at once. Behind the last block
// of the chunk there are none.
template <class T>
struct PartBlocks {
  unsigned first;
  unsigned count;
  std::uint64_t widths;  // a byte each
  std::uint16_t exceptions[part_blocks];

  TIGHTWIRE_KERNEL PartBlocks(const ChunkMemory<T>& chunk, unsigned values, unsigned part)
      : first(part * part_blocks),
        count(part_at(parts_of(values, block_values), part_blocks, part)),
        widths(load_whole<std::uint64_t>(&chunk.widths[first])) {
    const auto vector = load_whole<Vector>(&chunk.exceptions[first]);
    memcpy(exceptions, &vector, sizeof exceptions);
  }

  TIGHTWIRE_KERNEL unsigned width(unsigned i) const {
    return static_cast<unsigned>(widths >> 8 * i) & 255;
  }
  TIGHTWIRE_KERNEL unsigned size(unsigned i) const {
    return packed_size(width(i)) + exceptions_size<T>(exceptions[i]);
  }
};
static_assert(part_blocks == 8);

// From the widths of the part's blocks by each predictor. Leaves those by this one.
template <class T>
TIGHTWIRE_KERNEL TilePart measure_part(ChunkMemory<T>& chunk, unsigned values, unsigned number,
                                       Predictor predictor) {
  PartBlocks<T> blocks(chunk, values, number);
  const Vector by_each[2] = {load_whole<Vector>(&chunk.at[blocks.first]),
                             load_whole<Vector>(&chunk.at[blocks.first + 4])};
  blocks.widths = 0;
  TilePart part{255, 255, 0, 0, 0, 0, 0, 0, 0, 0};
  unsigned exceptions = 0;
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < part_blocks; ++i) {
    if (i >= blocks.count) continue;
    const auto width =
        static_cast<std::uint8_t>(by_each[i / 4].words[i % 4] >> width_place(predictor));
    blocks.widths |= std::uint64_t{width} << 8 * i;
    exceptions |= blocks.exceptions[i];
    if (width != 0 && width < part.least) part.least = width;
    if (width < part.low) part.low = width;
    if (width > part.high) part.high = width;
    part.used += blocks.exceptions[i] != 0 || width != 0;
  }
  part.exceptions = exceptions != 0;
  store_whole(blocks.widths, &chunk.widths[blocks.first]);
  return part;
}

struct WidthsOfTile {
  unsigned least = 255;  // of those that are not 0
  unsigned low = 255;
  unsigned high = 0;
  unsigned used = 0;         // blocks that have a code
  unsigned used_before = 0;  // of parts before the one that asks
  bool exceptions = false;
};

TIGHTWIRE_KERNEL WidthsOfTile widths_of(const TilePart* parts, unsigned count, unsigned asking) {
  WidthsOfTile of;
  TIGHTWIRE_UNROLL
  for (unsigned p = 0; p < tile_parts; ++p) {
    if (p >= count) continue;
    const TilePart& part = parts[p];
    if (part.least < of.least) of.least = part.least;
    if (part.low < of.low) of.low = part.low;
    if (part.high > of.high) of.high = part.high;
    if (p < asking) of.used_before += part.used;
    of.used += part.used;
    of.exceptions |= part.exceptions != 0;
  }
  return of;
}

// As short as it can be, without the bytes of wide blocks; all widths 0 are a run.
TIGHTWIRE_KERNEL TileHead head_for(const WidthsOfTile& widths, unsigned blocks) {
  TileHead head{};
  if (widths.used == 0) {
    head.kind = TileKind::run;
    return head;
  }
  const bool close = !widths.exceptions && blocks == tile_blocks &&
                     widths.high <= widths.low + most_above_base &&
                     sparse_size(widths.used) > close_codes;
  if (close) {
    head.kind = TileKind::close;
    head.base = static_cast<std::uint8_t>(widths.low);
    head.length = 2 + close_codes;
    return head;
  }
  const bool sparse = sparse_size(widths.used) < (blocks + 1) / 2;
  head.kind = sparse ? TileKind::sparse : TileKind::dense;
  head.base = static_cast<std::uint8_t>(widths.least == 255 ? 0 : widths.least - 1);
  head.length = 2 + (sparse ? sparse_size(widths.used) : (blocks + 1) / 2);
  return head;
}

TIGHTWIRE_KERNEL unsigned code_for(unsigned width, bool exceptions, unsigned base) {
  if (exceptions) return code_exceptions;
  if (width == 0) return 0;
  return width - base < code_wide ? width - base : code_wide;
}
template <class T>
TIGHTWIRE_KERNEL unsigned code_of(const ChunkMemory<T>& chunk, unsigned block, unsigned base) {
  return code_for(chunk.widths[block], chunk.exceptions[block] != 0, base);
}

template <class T>
TIGHTWIRE_KERNEL void size_part(const PartBlocks<T>& blocks, const TileHead& head, TilePart& part) {
  unsigned escapes = 0;
  std::uint32_t size = 0;
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < part_blocks; ++i) {
    if (i >= blocks.count) continue;
    escapes += code_for(blocks.width(i), blocks.exceptions[i] != 0, head.base) >= code_wide;
    size += blocks.size(i);
  }
  part.escapes = head.kind == TileKind::close ? 0 : static_cast<std::uint8_t>(escapes);
  part.size = size;
}

// The place of a part in its tile. Returns the tile's size.
TIGHTWIRE_KERNEL std::uint32_t place_part(const TilePart* parts, unsigned count, unsigned number,
                                          const TileHead& head, TilePart& part) {
  unsigned escapes = 0;
  unsigned escapes_before = 0;
  std::uint32_t size = 0;
  std::uint32_t size_before = 0;
  TIGHTWIRE_UNROLL
  for (unsigned p = 0; p < tile_parts; ++p) {
    if (p >= count) continue;
    if (p < number) {
      escapes_before += parts[p].escapes;
      size_before += parts[p].size;
    }
    escapes += parts[p].escapes;
    size += parts[p].size;
  }
  part.escapes_before = static_cast<std::uint8_t>(escapes_before);
  part.at = head.length + escapes + size_before;
  return head.length + escapes + size;
}

// Tiles of a run are one, at the first of them.
TIGHTWIRE_KERNEL std::uint32_t size_of_tile(const TileHead* tiles, unsigned t) {
  if (tiles[t].kind != TileKind::run) return tiles[t].size;
  return t > 0 && tiles[t - 1].kind == TileKind::run ? 0 : 2;
}
TIGHTWIRE_KERNEL std::uint32_t place_of_tile(const TileHead* tiles, unsigned t) {
  std::uint32_t at = header_size;
  for (unsigned before = 0; before < t; ++before) at += size_of_tile(tiles, before);
  return at;
}

template <class T>
TIGHTWIRE_KERNEL void place_blocks(ChunkMemory<T>& chunk, const PartBlocks<T>& blocks,
                                   std::uint32_t at) {
  Vector places[2];
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < part_blocks; ++i) {
    places[i / 4].words[i % 4] = at;
    at += blocks.size(i);
  }
  store_whole(places[0], &chunk.at[blocks.first]);
  store_whole(places[1], &chunk.at[blocks.first + 4]);
}

// After choose_predictor(). Leaves widths and places of all blocks.
template <class T>
TIGHTWIRE_KERNEL void lay_out(auto& lanes, unsigned count, Predictor predictor,
                              ChunkMemory<T>& chunk) {
  const unsigned parts = parts_of(count, block_values * part_blocks);
  const unsigned tiles = parts_of(count, tile_values);
  const auto of_tile = [&](unsigned t) { return part_at(parts, tile_parts, t); };
  lanes.each(parts, [&](unsigned p) { chunk.parts[p] = measure_part(chunk, count, p, predictor); });
  lanes.each(parts, [&](unsigned p) {
    const unsigned t = p / tile_parts;
    const WidthsOfTile widths = widths_of(&chunk.parts[t * tile_parts], of_tile(t), p % tile_parts);
    const TileHead head = head_for(widths, blocks_of(count, t));
    size_part(PartBlocks<T>(chunk, count, p), head, chunk.parts[p]);
    chunk.parts[p].used_before = static_cast<std::uint8_t>(widths.used_before);
    if (p % tile_parts == 0) chunk.tiles[t] = head;
  });
  lanes.each(parts, [&](unsigned p) {
    const unsigned t = p / tile_parts;
    TileHead& tile = chunk.tiles[t];
    const std::uint32_t size =
        place_part(&chunk.parts[t * tile_parts], of_tile(t), p % tile_parts, tile, chunk.parts[p]);
    if (p % tile_parts == 0 && tile.kind != TileKind::run) tile.size = size;
  });
  lanes.each(parts, [&](unsigned p) {
    const unsigned t = p / tile_parts;
    const std::uint32_t at = place_of_tile(chunk.tiles, t);
    place_blocks(chunk, PartBlocks<T>(chunk, count, p), at + chunk.parts[p].at);
    if (p % tile_parts == 0) chunk.tiles[t].at = at;
    if (p + 1 == parts) chunk.size = at + size_of_tile(chunk.tiles, tiles - 1);
  });
}

}  // namespace tightwire::device
