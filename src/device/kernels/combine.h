// The encoding of a sum from the encodings of both operands, in one pass: a step of recursive
// doubling.
#pragma once

#include "device/kernels/merge.h"

namespace tightwire::device {

// An operand of a chunk, while the chunk's memory is needed for the other one.
template <class T>
struct Aside {
  alignas(vector_bytes) Unsigned<T> words[Extent<T>::values];
  alignas(vector_bytes) T kept[Extent<T>::values];  // where there are exceptions
  std::uint16_t exceptions[Extent<T>::blocks];

  TIGHTWIRE_KERNEL Unsigned<T>* block(unsigned b) { return words + b * block_values; }
  TIGHTWIRE_KERNEL Operand<T> operand(unsigned b, unsigned i) const {
    const unsigned at = b * block_values + i;
    Operand<T> operand{static_cast<Int<T>>(words[at]), 0, (exceptions[b] >> i & 1) != 0};
    if (operand.kept) operand.value = kept[at];
    return operand;
  }
};

template <class T>
TIGHTWIRE_KERNEL void set_aside(auto& lanes, unsigned count, ChunkMemory<T>& chunk,
                                Aside<T>& aside) {
  lanes.each(parts_of(count, block_values), [&](unsigned b) {
    aside.exceptions[b] = chunk.exceptions[b];
    const unsigned lanes_there = lanes_of(count, b);
    for (unsigned i = 0; i < lanes_there; ++i) aside.block(b)[i] = chunk.block(b)[i];
  });
}

// True if no sum is beyond the grid; then the words are those of the sum.
template <class T>
TIGHTWIRE_KERNEL bool add_words_quickly(const Unsigned<T>* more, const Grid<T>& grid,
                                        Unsigned<T>* words) {
  Int<T> sums[block_values];
  bool all = true;
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) {
    all = all & add_integers<T>(static_cast<Int<T>>(more[i]), static_cast<Int<T>>(words[i]),
                                grid.sum_limit, sums[i]);
  }
  if (all) store_block(reinterpret_cast<const Unsigned<T>*>(sums), block_values, words);
  return all;
}

// Words and `kept` become those of the sum.
template <class T>
TIGHTWIRE_KERNEL void add_aside(auto& lanes, Aside<T>& aside, unsigned count, const Grid<T>& grid,
                                ChunkMemory<T>& chunk, T* kept) {
  lanes.each(parts_of(count, block_values), [&](unsigned b) {
    const unsigned lanes_there = lanes_of(count, b);
    const bool quick = chunk.exceptions[b] == 0 && aside.exceptions[b] == 0 &&
                       lanes_there == block_values &&
                       add_words_quickly(aside.block(b), grid, chunk.block(b));
    if (quick) return;
    const auto aside_at = [&](unsigned i) { return aside.operand(b, i); };
    note_exceptions(lanes, b,
                    add_slowly(lanes_there, grid, chunk.exceptions[b], chunk.block(b),
                               kept + b * block_values, aside_at),
                    chunk);
  });
  lanes.each(1, [&](unsigned) { chunk.any_exceptions = chunk.any_in_sum; });
}

// A chunk that is read: its bytes, with a header like that of the sum, or stored.
struct EncodedChunk {
  const std::uint8_t* bytes;
  std::uint32_t size;
};

// All else is as for merge_chunk().
template <class T, class Place>
TIGHTWIRE_KERNEL bool combine_chunk(auto& lanes, const EncodedChunk& first,
                                    const EncodedChunk& second, unsigned count, const Grid<T>& grid,
                                    const std::uint8_t* header, ChunkMemory<T>& chunk,
                                    Aside<T>& aside, T* kept, Place& place) {
  if (!read_operand(lanes, first.bytes, first.size, count, grid, header, chunk, aside.kept)) {
    return false;
  }
  set_aside(lanes, count, chunk, aside);
  if (!read_operand(lanes, second.bytes, second.size, count, grid, header, chunk, kept)) {
    return false;
  }
  add_aside(lanes, aside, count, grid, chunk, kept);
  write_sum(lanes, count, grid, header, chunk, kept, place);
  return true;
}

}  // namespace tightwire::device
