// The working memory of one chunk: the shared memory of a thread block.
#pragma once

#include <cstdint>
#include <cstring>

#include "codec/bounded/grid.h"
#include "device/kernels/vocabulary.h"
#include "device/profile.h"

namespace tightwire::device {

template <class T>
using Unsigned = typename codec::bounded::Lane<T>::Unsigned;
template <class T>
using Int = typename codec::bounded::Lane<T>::Int;

// What is moved at once.
inline constexpr unsigned vector_bytes = 16;
struct alignas(vector_bytes) Vector {
  std::uint32_t words[4];
};

// At an address that is a multiple of the size. nvcc makes single bytes of a memcpy().
template <class Whole>
TIGHTWIRE_KERNEL Whole load_whole(const void* from) {
#if defined(__CUDA_ARCH__)
  return *static_cast<const Whole*>(from);
#else
  Whole whole;
  memcpy(&whole, from, sizeof whole);
  return whole;
#endif
}
template <class Whole>
TIGHTWIRE_KERNEL void store_whole(const Whole& whole, void* to) {
#if defined(__CUDA_ARCH__)
  *static_cast<Whole*>(to) = whole;
#else
  memcpy(to, &whole, sizeof whole);
#endif
}

// Of a tile that is written, or read.
struct TileHead {
  TileKind kind;
  std::uint8_t base;
  bool are_known;        // of one that is read: widths and exceptions of its blocks are
  std::uint32_t length;  // of what stands before its blocks, but for the bytes of wide ones; of one
                         // that is read, where its map or codes stand
  std::uint32_t size;    // 0: of a run; of one that is read, its escapes
  std::uint32_t at;      // place in the encoding; of one that is read, of its blocks
};

// So many blocks of a tile have one lane, where the tile is laid out.
inline constexpr unsigned part_blocks = 8;
inline constexpr unsigned tile_parts = tile_blocks / part_blocks;

struct TilePart {
  std::uint8_t least;  // width that is not 0
  std::uint8_t low;
  std::uint8_t high;
  std::uint8_t used;     // blocks that have a code
  std::uint8_t escapes;  // blocks whose code needs a byte more
  std::uint8_t exceptions;
  std::uint8_t used_before;  // in the tile
  std::uint8_t escapes_before;
  std::uint32_t size;  // of its blocks
  std::uint32_t at;    // of them, in the tile
};

template <class T>
struct ChunkMemory {
  using Word = Unsigned<T>;
  using Size = Extent<T>;

  // Lanes next to each other work on neighbouring blocks. A gap behind each block keeps what they
  // move at once in different banks.
  static constexpr unsigned gap = vector_bytes / sizeof(T);
  static constexpr unsigned stride = block_values + gap;
  // The integers of the chunk, or its encoding.
  union {
    alignas(vector_bytes) Word words[Size::blocks * stride];
    alignas(vector_bytes) std::uint8_t image[Size::blocks * stride * sizeof(T)];
  };
  TIGHTWIRE_KERNEL Word* block(unsigned b) { return words + b * stride; }
  TIGHTWIRE_KERNEL Word& word(unsigned i) { return words[i + i / block_values * gap]; }

  // Of each block; a part's are moved at once.
  alignas(vector_bytes) std::uint32_t at[Size::blocks];  // its place; before that, what was counted
  alignas(vector_bytes) std::uint16_t exceptions[Size::blocks];  // a bit for each value
  alignas(vector_bytes) std::uint8_t widths[Size::blocks];
  std::uint8_t codes[Size::blocks];
  // Never in use at the same time.
  union {
    std::uint32_t last_held[2][Size::blocks];  // 1 + the last block with an integer to hold, or 0
    Word sums[Size::blocks];
    TilePart parts[Size::blocks / part_blocks];
  };
  TileHead tiles[Size::tiles];
  std::uint32_t bits[3];  // of all residuals by each predictor
  std::uint32_t any_exceptions;
  std::uint32_t any_in_sum;   // exceptions of a sum
  std::uint32_t size;         // of the encoding
  std::uint32_t any_escapes;  // in what is read
  Predictor predictor;        // of what is read
  std::uint32_t bad_header;   // of what is read
  std::uint32_t bad;          // no encoding of the profile: says who walks
  std::uint32_t bad_widths;   // the same, of those that are read behind it
};

// What a block may have on devices but those of data centres (compute capability 8.6 and later).
static_assert(sizeof(ChunkMemory<float>) <= 99 * 1024 - 512);
static_assert(sizeof(ChunkMemory<double>) <= 99 * 1024 - 512);

// Values of a block, blocks of a tile, where the chunk has `count` values.
TIGHTWIRE_KERNEL unsigned parts_of(unsigned count, unsigned part) {
  return (count + part - 1) / part;
}
TIGHTWIRE_KERNEL unsigned part_at(unsigned count, unsigned part, unsigned number) {
  const unsigned left = count - number * part;
  return left < part ? left : part;
}
TIGHTWIRE_KERNEL unsigned lanes_of(unsigned count, unsigned block) {
  return part_at(count, block_values, block);
}
TIGHTWIRE_KERNEL unsigned blocks_of(unsigned count, unsigned tile) {
  return part_at(parts_of(count, block_values), tile_blocks, tile);
}

}  // namespace tightwire::device
