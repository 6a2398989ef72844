// How the tiles of a chunk are written: which kind each is, and where it and its blocks stand.
#pragma once

#include "device/kernels/pack.h"

namespace tightwire::device {

using codec::bounded::code_exceptions;
using codec::bounded::code_wide;
using codec::bounded::exceptions_have_values;
using codec::bounded::most_above_base;

// Kind, base, codes of blocks.
inline constexpr unsigned close_codes = tile_blocks / 4;
inline constexpr unsigned map_size = 8;

// Behind the residuals of a block with exceptions: which they are, their width, they themselves.
template <class T>
TIGHTWIRE_KERNEL unsigned exceptions_size(std::uint32_t mask) {
  return mask == 0 ? 0 : 3 + ones_in(mask) * static_cast<unsigned>(sizeof(T));
}

struct WidthsOfTile {
  unsigned least = 255;  // of those that are not 0
  unsigned low = 255;
  unsigned high = 0;
  unsigned used = 0;  // blocks that have a code
  bool exceptions = false;
};

template <class T>
TIGHTWIRE_KERNEL WidthsOfTile widths_of(const ChunkMemory<T>& chunk, unsigned first,
                                        unsigned blocks) {
  WidthsOfTile of;
  for (unsigned b = first; b < first + blocks; ++b) {
    const unsigned width = chunk.widths[b];
    const bool exceptions = chunk.exceptions[b] != 0;
    if (width != 0 && width < of.least) of.least = width;
    if (width < of.low) of.low = width;
    if (width > of.high) of.high = width;
    of.used += exceptions || width != 0;
    of.exceptions |= exceptions;
  }
  return of;
}

TIGHTWIRE_KERNEL unsigned sparse_size(unsigned used) {
  return map_size + (used + 1) / 2;
}

// As short as it can be; all widths 0 are a run.
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

template <class T>
TIGHTWIRE_KERNEL unsigned code_of(const ChunkMemory<T>& chunk, unsigned block, unsigned base) {
  if (chunk.exceptions[block] != 0) return code_exceptions;
  const unsigned width = chunk.widths[block];
  if (width == 0) return 0;
  return width - base < code_wide ? width - base : code_wide;
}

// The place of each block in its tile, and the tile's size.
template <class T>
TIGHTWIRE_KERNEL void place_blocks(ChunkMemory<T>& chunk, unsigned first, unsigned blocks,
                                   TileHead& head) {
  if (head.kind != TileKind::close) {
    for (unsigned b = first; b < first + blocks; ++b) {
      if (code_of(chunk, b, head.base) >= code_wide) ++head.length;
    }
  }
  head.size = head.length;
  for (unsigned b = first; b < first + blocks; ++b) {
    chunk.at[b] = head.size;
    head.size += packed_size(chunk.widths[b]) + exceptions_size<T>(chunk.exceptions[b]);
  }
}

// Neighbouring runs are one. Returns the size of the encoding.
TIGHTWIRE_KERNEL std::uint32_t place_tiles(TileHead* tiles, unsigned count) {
  std::uint32_t at = header_size;
  TileHead* run = nullptr;
  for (unsigned t = 0; t < count; ++t) {
    TileHead& tile = tiles[t];
    if (tile.kind != TileKind::run) {
      run = nullptr;
    } else if (run != nullptr) {
      ++run->run;
    } else {
      run = &tile;
      tile.run = 1;
      tile.size = 2;
    }
    tile.at = at;
    at += tile.size;
  }
  return at;
}

template <class T>
TIGHTWIRE_KERNEL void lay_out(auto& lanes, unsigned count, ChunkMemory<T>& chunk) {
  const unsigned tiles = parts_of(count, tile_values);
  lanes.each(tiles, [&](unsigned t) {
    const unsigned first = t * tile_blocks;
    const unsigned blocks = blocks_of(count, t);
    TileHead head = head_for(widths_of(chunk, first, blocks), blocks);
    if (head.kind != TileKind::run) place_blocks(chunk, first, blocks, head);
    chunk.tiles[t] = head;
  });
  lanes.each(1, [&](unsigned) { chunk.size = place_tiles(chunk.tiles, tiles); });
}

// Half bytes, the first of two in the low half. No byte is read again, which would take a device as
// long as hundreds of other steps.
class HalfBytes {
 public:
  TIGHTWIRE_KERNEL explicit HalfBytes(std::uint8_t* out) : out_(out) {}
  TIGHTWIRE_KERNEL void put(unsigned code) {
    if (half_) {
      *out_++ = static_cast<std::uint8_t>(low_ | code << 4);
    } else {
      low_ = code;
    }
    half_ = !half_;
  }
  // Behind all, when there are no more.
  TIGHTWIRE_KERNEL std::uint8_t* end() {
    if (half_) put(0);
    return out_;
  }

 private:
  std::uint8_t* out_;
  unsigned low_ = 0;
  bool half_ = false;
};

template <class T>
TIGHTWIRE_KERNEL void write_close(const ChunkMemory<T>& chunk, unsigned first, unsigned base,
                                  std::uint8_t* out) {
  for (unsigned i = 0; i < close_codes; ++i) {
    unsigned codes = 0;
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      codes |= (chunk.widths[first + quarter * close_codes + i] - base) << 2 * quarter;
    }
    out[i] = static_cast<std::uint8_t>(codes);
  }
}

template <class T>
TIGHTWIRE_KERNEL std::uint8_t* write_codes(const ChunkMemory<T>& chunk, unsigned first,
                                           unsigned blocks, const TileHead& head,
                                           std::uint8_t* out) {
  const bool sparse = head.kind == TileKind::sparse;
  std::uint64_t map = 0;
  HalfBytes codes(sparse ? out + map_size : out);
  for (unsigned b = 0; b < blocks; ++b) {
    const unsigned code = code_of(chunk, first + b, head.base);
    if (sparse && code == 0) continue;
    map |= std::uint64_t{1} << b;
    codes.put(code);
  }
  for (unsigned i = 0; sparse && i < map_size; ++i) {
    out[i] = static_cast<std::uint8_t>(map >> 8 * i);
  }
  return codes.end();
}

template <class T>
TIGHTWIRE_KERNEL void write_escapes(const ChunkMemory<T>& chunk, unsigned first, unsigned blocks,
                                    unsigned base, std::uint8_t* out) {
  for (unsigned b = first; b < first + blocks; ++b) {
    const unsigned code = code_of(chunk, b, base);
    if (code < code_wide) continue;
    const unsigned flag = code == code_exceptions ? exceptions_have_values : 0;
    *out++ = static_cast<std::uint8_t>(chunk.widths[b] | flag);
  }
}

// What stands before the blocks of tile `t`; nothing in the middle of a run.
template <class T>
TIGHTWIRE_KERNEL void write_head(const ChunkMemory<T>& chunk, unsigned t, unsigned blocks,
                                 Predictor predictor, std::uint8_t* out) {
  const TileHead& head = chunk.tiles[t];
  if (head.size == 0) return;
  *out++ = static_cast<std::uint8_t>(codec::bounded::kind_byte(head.kind, predictor));
  if (head.kind == TileKind::run) {
    *out = static_cast<std::uint8_t>(head.run - 1);
    return;
  }
  const unsigned first = t * tile_blocks;
  *out++ = head.base;
  if (head.kind == TileKind::close) return write_close(chunk, first, head.base, out);
  out = write_codes(chunk, first, blocks, head, out);
  write_escapes(chunk, first, blocks, head.base, out);
}

}  // namespace tightwire::device
