// The working memory of one chunk: the shared memory of a thread block.
#pragma once

#include <cstdint>

#include "codec/bounded/grid.h"
#include "device/kernels/vocabulary.h"
#include "device/profile.h"

namespace tightwire::device {

template <class T>
using Unsigned = typename codec::bounded::Lane<T>::Unsigned;
template <class T>
using Int = typename codec::bounded::Lane<T>::Int;

// Of a tile that is being written.
struct TileHead {
  TileKind kind;
  std::uint8_t base;
  std::uint32_t length;  // of what stands before its blocks
  std::uint32_t size;
  std::uint32_t at;   // place in the encoding
  std::uint32_t run;  // tiles of the run that begins here
};

// The two integers before a block, for prediction; the nearest first.
template <class T>
struct Before {
  Unsigned<T> last;
  Unsigned<T> second;
};

// The integer that exceptions hold, if there is one yet.
template <class T>
struct Held {
  Unsigned<T> integer;
  std::uint32_t known;
};

// Blocks of a tile that are placed together.
inline constexpr unsigned group_blocks = 8;

template <class T>
struct ChunkMemory {
  using Word = Unsigned<T>;
  using Size = Extent<T>;

  // Lanes next to each other work on neighbouring blocks. A gap behind each 128 bytes keeps their
  // words in different banks.
  static constexpr unsigned row = 128 / sizeof(T);
  Word words[Size::values + Size::values / row];
  TIGHTWIRE_KERNEL Word& word(unsigned i) { return words[i + i / row]; }

  std::uint32_t exceptions[Size::blocks];  // a bit for each value of a block
  std::uint32_t at[Size::blocks];          // place of each block; before that, widths
  std::uint8_t widths[Size::blocks];
  std::uint8_t codes[Size::blocks];
  // Never in use at the same time.
  union {
    Before<T> before[Size::blocks];
    Held<T> held[2][Size::blocks];
    Word sums[2][Size::blocks];
  };
  TileHead tiles[Size::tiles];
  std::uint32_t bits[3];  // of all residuals by each predictor
  std::uint32_t any_exceptions;
  std::uint32_t size;                                // of the encoding
  std::uint32_t total;                               // of a tile that is being read
  std::uint32_t any_escapes;                         // in it
  std::uint32_t escapes;                             // of it
  std::uint32_t groups[tile_blocks / group_blocks];  // bytes of its blocks, by groups
  std::uint32_t bad;                                 // no encoding of the profile
};

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
