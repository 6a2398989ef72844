// An encoding of the profile to the values of one chunk.
#pragma once

#include "device/kernels/read_tiles.h"
#include "device/kernels/residuals.h"

namespace tightwire::device {

template <class T>
TIGHTWIRE_KERNEL void unpack_blocks(auto& lanes, const std::uint8_t* in, unsigned count,
                                    ChunkMemory<T>& chunk) {
  lanes.each(parts_of(count, block_values), [&](unsigned b) {
    Unsigned<T> residuals[block_values];
    const unsigned width = chunk.widths[b];
    if (width > sizeof(T) * 8) {
      lanes.set_bits(chunk.bad, 1);
      return;
    }
    unpack_block(in + chunk.at[b], width, residuals);
    const unsigned lanes_there = lanes_of(count, b);
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < block_values; ++i) {
      if (i < lanes_there) chunk.word(b * block_values + i) = unfold_sign(residuals[i]);
    }
  });
}

// Each word becomes the sum of all up to it, modulo the word's size.
template <class T>
TIGHTWIRE_KERNEL void sum_up(auto& lanes, unsigned count, ChunkMemory<T>& chunk) {
  using U = Unsigned<T>;
  const unsigned blocks = parts_of(count, block_values);
  lanes.each(blocks, [&](unsigned b) {
    U sum = 0;
    for (unsigned i = 0; i < lanes_of(count, b); ++i) {
      U& word = chunk.word(b * block_values + i);
      word = sum = static_cast<U>(sum + word);
    }
    chunk.sums[0][b] = sum;
  });
  const U* const sums = scan(lanes, chunk.sums[0], chunk.sums[1], blocks,
                             [](U first, U second) { return static_cast<U>(first + second); });
  lanes.each(blocks, [&](unsigned b) {
    if (b == 0) return;
    for (unsigned i = 0; i < lanes_of(count, b); ++i) {
      U& word = chunk.word(b * block_values + i);
      word = static_cast<U>(word + sums[b - 1]);
    }
  });
}

template <class T>
TIGHTWIRE_KERNEL void read_exceptions(auto& lanes, const std::uint8_t* in, unsigned count,
                                      ChunkMemory<T>& chunk, T* values) {
  lanes.each(parts_of(count, block_values), [&](unsigned b) {
    const std::uint32_t mask = chunk.exceptions[b];
    const std::uint8_t* from = in + chunk.at[b] + packed_size(chunk.widths[b]) + 3;
    for (unsigned i = 0; mask >> i != 0; ++i) {
      if ((mask >> i & 1) == 0) continue;
      Unsigned<T> bits = 0;
      for (unsigned j = 0; j < sizeof(T); ++j) bits |= Unsigned<T>{*from++} << 8 * j;
      values[b * block_values + i] = sign_from_lowest<T>(bits);
    }
  });
}

// `in` has `size` bytes, with a header like `header`, that of an encoding of `count` values. Leaves
// their integers in the words of the chunk, which holds anything at exceptions. False where it is
// damaged, or no encoding of the profile; all lanes get the same answer.
template <class T>
TIGHTWIRE_KERNEL bool read_integers(auto& lanes, const std::uint8_t* in, std::uint32_t size,
                                    unsigned count, const std::uint8_t* header,
                                    ChunkMemory<T>& chunk) {
  if (size < header_size) return false;
  for (unsigned i = 0; i < header_size; ++i) {
    if (in[i] != header[i]) return false;
  }
  begin_chunk(lanes, chunk);
  Reading reading{in, size};
  if (!read_tiles(lanes, reading, count, chunk)) return false;
  if (chunk.bad != 0) return false;
  unpack_blocks(lanes, in, count, chunk);
  if (chunk.bad != 0) return false;
  if (chunk.any_exceptions != 0 && reading.predictor == Predictor::second) return false;
  for (unsigned order = 0; order < static_cast<unsigned>(reading.predictor); ++order) {
    sum_up(lanes, count, chunk);
  }
  return true;
}

// The values on `grid`; as read_integers(), and where that is false nothing in `values` counts.
template <class T>
TIGHTWIRE_KERNEL bool decode_chunk(auto& lanes, const std::uint8_t* in, std::uint32_t size,
                                   unsigned count, const Grid<T>& grid, const std::uint8_t* header,
                                   ChunkMemory<T>& chunk, T* values) {
  if (!read_integers(lanes, in, size, count, header, chunk)) return false;
  lanes.each(count,
             [&](unsigned i) { values[i] = dequantise(static_cast<Int<T>>(chunk.word(i)), grid); });
  if (chunk.any_exceptions != 0) read_exceptions(lanes, in, count, chunk, values);
  return true;
}

}  // namespace tightwire::device
