// Where the blocks of an encoding stand, once it is known where its tiles do. The bytes are not
// trusted.
#pragma once

#include "device/kernels/walk_tiles.h"

namespace tightwire::device {

// Codes of the blocks of a part, half a byte each, the first lowest; of a tile that is dense or
// sparse.
TIGHTWIRE_KERNEL std::uint32_t codes_of_part(const std::uint8_t* in, const TileHead& tile,
                                             unsigned part) {
  in += tile.length;
  std::uint32_t codes = 0;
  if (tile.kind == TileKind::dense) {
    in += part * part_blocks / 2;
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < part_blocks / 2; ++i) codes |= std::uint32_t{in[i]} << 8 * i;
    return codes;
  }
  const std::uint64_t map = read_map(in);
  unsigned number = ones_in(map & ((std::uint64_t{1} << part * part_blocks) - 1));
  const auto own = static_cast<unsigned>(map >> part * part_blocks);
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < part_blocks; ++i) {
    if ((own >> i & 1) == 0) continue;
    codes |= std::uint32_t{half_byte(in + map_size, number)} << 4 * i;
    ++number;
  }
  return codes;
}

// Widths of the blocks of a part, a byte each, but where codes do not tell them.
TIGHTWIRE_KERNEL std::uint64_t widths_of_part(const std::uint8_t* in, const TileHead& tile,
                                              unsigned part, std::uint32_t codes) {
  std::uint64_t widths = 0;
  if (tile.kind == TileKind::close) {
    in += tile.length + part * part_blocks % close_codes;
    const unsigned quarter = part * part_blocks / close_codes;
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < part_blocks; ++i) {
      const unsigned code = in[i] >> 2 * quarter & most_above_base;
      widths |= std::uint64_t{tile.base + code} << 8 * i;
    }
    return widths;
  }
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < part_blocks; ++i) {
    const unsigned code = codes >> 4 * i & 15;
    const unsigned width = code == 0 || code >= code_wide ? 0 : tile.base + code;
    widths |= std::uint64_t{width} << 8 * i;
  }
  return widths;
}
static_assert(close_codes % part_blocks == 0);

template <class T>
TIGHTWIRE_KERNEL bool are_widths(std::uint64_t widths) {
  bool all = true;
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < part_blocks; ++i) {
    all = all & ((widths >> 8 * i & 255) <= sizeof(T) * 8);
  }
  return all;
}

TIGHTWIRE_KERNEL unsigned escapes_in(std::uint32_t codes) {
  // The three highest bits of a half byte are set in 14 and 15 alone.
  return ones_in(codes >> 3 & codes >> 2 & codes >> 1 & 0x11111111);
}

// What walking has left to do of a part. Codes go to the part's `at`.
template <class T>
TIGHTWIRE_KERNEL void read_part(auto& lanes, const std::uint8_t* in, unsigned count, unsigned p,
                                ChunkMemory<T>& chunk) {
  const TileHead tile = chunk.tiles[p / tile_parts];
  TilePart& part = chunk.parts[p];
  part.escapes = 0;
  if (tile.are_known) return;
  const unsigned blocks = part_at(parts_of(count, block_values), part_blocks, p);
  std::uint32_t codes = 0;
  std::uint64_t widths = 0;
  if (tile.kind != TileKind::run) {
    if (tile.kind != TileKind::close) codes = codes_of_part(in, tile, p % tile_parts);
    codes &= ~std::uint32_t{0} >> 4 * (part_blocks - blocks);
    widths = widths_of_part(in, tile, p % tile_parts, codes);
    if (!are_widths<T>(widths)) lanes.set_bits(chunk.bad_widths, 1);
  }
  part.at = codes;
  part.escapes = static_cast<std::uint8_t>(escapes_in(codes));
  store_whole(widths, &chunk.widths[p * part_blocks]);
  store_whole(Vector{}, &chunk.exceptions[p * part_blocks]);
}

// Widths that codes do not tell.
template <class T>
TIGHTWIRE_KERNEL void read_escapes(auto& lanes, const std::uint8_t* in, unsigned p,
                                   ChunkMemory<T>& chunk) {
  if (chunk.parts[p].escapes == 0) return;
  const TileHead& tile = chunk.tiles[p / tile_parts];
  in += tile.at - tile.size;
  for (unsigned before = p / tile_parts * tile_parts; before < p; ++before) {
    in += chunk.parts[before].escapes;
  }
  const std::uint32_t codes = chunk.parts[p].at;
  TIGHTWIRE_ROLLED
  for (unsigned i = 0; i < part_blocks; ++i) {
    if ((codes >> 4 * i & 15) < code_wide) continue;
    const unsigned width = *in++;
    if (width > sizeof(T) * 8) lanes.set_bits(chunk.bad_widths, 1);
    chunk.widths[p * part_blocks + i] = static_cast<std::uint8_t>(width);
  }
}

// Each block of a tile behind those before it.
template <class T>
TIGHTWIRE_KERNEL void place_blocks_read(auto& lanes, const std::uint8_t* in, unsigned count,
                                        ChunkMemory<T>& chunk) {
  const unsigned parts = parts_of(count, block_values * part_blocks);
  lanes.each(parts, [&](unsigned p) { read_part(lanes, in, count, p, chunk); });
  if (chunk.any_escapes != 0) {
    lanes.each(parts, [&](unsigned p) { read_escapes(lanes, in, p, chunk); });
  }
  lanes.each(parts, [&](unsigned p) {
    const PartBlocks<T> blocks(chunk, count, p);
    std::uint32_t size = 0;
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < part_blocks; ++i) size += blocks.size(i);
    chunk.parts[p].size = size;
  });
  lanes.each(parts, [&](unsigned p) {
    std::uint32_t at = chunk.tiles[p / tile_parts].at;
    TIGHTWIRE_UNROLL
    for (unsigned before = 0; before < tile_parts; ++before) {
      if (before < p % tile_parts) at += chunk.parts[p / tile_parts * tile_parts + before].size;
    }
    place_blocks(chunk, PartBlocks<T>(chunk, count, p), at);
  });
}

// Places and widths of all blocks, and the predictor. False where the encoding is damaged, or none
// of the profile.
template <class T>
TIGHTWIRE_KERNEL bool read_tiles(auto& lanes, const Reading& begin, unsigned count,
                                 ChunkMemory<T>& chunk) {
  lanes.few([&](auto& some) {
    Reading reading = begin;
    const bool sound = walk_tiles(some, reading, count, chunk);
    some.each(1, [&](unsigned) {
      if (!sound) chunk.bad = 1;
      chunk.predictor = reading.predictor;
    });
  });
  if (chunk.bad != 0) return false;
  place_blocks_read(lanes, begin.in, count, chunk);
  return chunk.bad_widths == 0;
}

}  // namespace tightwire::device
