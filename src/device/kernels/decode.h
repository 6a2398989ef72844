// An encoding of the profile to the values of one chunk.
#pragma once

#include "device/kernels/copy.h"
#include "device/kernels/read_tiles.h"

namespace tightwire::device {

// Integers of a block, and on the way to them what prediction has left.
template <class T>
struct Integers {
  Unsigned<T> of[block_values];
};

template <class T>
TIGHTWIRE_KERNEL void sum_up(Integers<T>& integers) {
  TIGHTWIRE_UNROLL
  for (unsigned i = 1; i < block_values; ++i) integers.of[i] += integers.of[i - 1];
}

template <class T>
TIGHTWIRE_KERNEL void add_to_all(Integers<T>& integers, Unsigned<T> before) {
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) integers.of[i] += before;
}

// What begins at a slope: one more of it at each value.
template <class T>
TIGHTWIRE_KERNEL void add_slope(Integers<T>& integers, Unsigned<T> slope) {
  Unsigned<T> more = 0;
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) integers.of[i] += more += slope;
}

// Differences of integers, or of differences of them, to integers, but for what is before each
// block: that is left in chunk.sums. A block that is not whole has any integers behind its values.
template <class T>
TIGHTWIRE_KERNEL void undo_prediction(auto& lanes, auto& kept, unsigned blocks, Predictor predictor,
                                      ChunkMemory<T>& chunk) {
  if (predictor == Predictor::none) return;
  lanes.sum_before(chunk.sums, blocks);
  if (predictor == Predictor::previous) return;
  lanes.each(kept, blocks, [&](unsigned b, Integers<T>& integers) {
    sum_up(integers);
    add_slope(integers, chunk.sums[b]);
    chunk.sums[b] = integers.of[block_values - 1];
  });
  lanes.sum_before(chunk.sums, blocks);
}

// One that is read: where its bytes stand, and by which predictor.
struct Encoding {
  const std::uint8_t* in;
  Predictor predictor;
};

template <class T>
TIGHTWIRE_KERNEL void unpack_blocks(auto& lanes, auto& kept, const Encoding& encoding,
                                    unsigned blocks, ChunkMemory<T>& chunk) {
  lanes.each(kept, blocks, [&](unsigned b, Integers<T>& integers) {
    unpack_block(encoding.in + chunk.at[b], chunk.widths[b], integers.of);
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < block_values; ++i) integers.of[i] = unfold_sign(integers.of[i]);
    if (encoding.predictor == Predictor::none) return;
    sum_up(integers);
    chunk.sums[b] = integers.of[block_values - 1];
  });
}

// `in` has `size` bytes, with a header like `header`, that of an encoding of `count` values. Leaves
// their integers in `kept`, but for what is before each block; finish_block() adds that. At
// exceptions they are anything. False where the encoding is damaged, or none of the profile; all
// lanes get the same answer.
template <class T>
TIGHTWIRE_KERNEL bool read_integers(auto& lanes, auto& kept, const std::uint8_t* in,
                                    std::uint32_t size, unsigned count, const std::uint8_t* header,
                                    ChunkMemory<T>& chunk, Encoding& encoding) {
  if (size < header_size || size > count * sizeof(T)) return false;
  std::uint8_t* const image = image_of(chunk, in);
  begin_chunk(lanes, chunk);
  copy_alike(lanes, in, image, size, header_size, [&](unsigned i) {
    if (in[i] != header[i]) lanes.set_bits(chunk.bad_header, 1);
  });
  if (chunk.bad_header != 0) return false;
  if (!read_tiles(lanes, Reading{image, size}, count, chunk)) return false;
  encoding = {image, chunk.predictor};
  const unsigned blocks = parts_of(count, block_values);
  unpack_blocks(lanes, kept, encoding, blocks, chunk);
  if (chunk.any_exceptions != 0 && encoding.predictor == Predictor::second) return false;
  undo_prediction(lanes, kept, blocks, encoding.predictor, chunk);
  return true;
}

template <class T>
TIGHTWIRE_KERNEL void finish_block(const ChunkMemory<T>& chunk, unsigned block,
                                   const Encoding& encoding, Integers<T>& integers) {
  if (encoding.predictor != Predictor::none) add_to_all(integers, chunk.sums[block]);
}

template <class T>
TIGHTWIRE_KERNEL void read_exceptions(const ChunkMemory<T>& chunk, unsigned block,
                                      const Encoding& encoding, T* values) {
  const std::uint32_t mask = chunk.exceptions[block];
  const std::uint8_t* from = encoding.in + chunk.at[block] + packed_size(chunk.widths[block]) + 3;
  TIGHTWIRE_ROLLED
  for (unsigned i = 0; mask >> i != 0; ++i) {
    if ((mask >> i & 1) == 0) continue;
    Unsigned<T> bits = 0;
    for (unsigned j = 0; j < sizeof(T); ++j) bits |= Unsigned<T>{*from++} << 8 * j;
    values[i] = sign_from_lowest<T>(bits);
  }
}

// Integers become the bits of values.
template <class T>
TIGHTWIRE_KERNEL void dequantise_block(Integers<T>& integers, const Grid<T>& grid) {
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) {
    const T value = dequantise(static_cast<Int<T>>(integers.of[i]), grid);
    integers.of[i] = bits_as<Unsigned<T>>(value);
  }
}

// Those that are exceptions become what they are. The places of an array in registers are those of
// the loop.
template <class T>
TIGHTWIRE_KERNEL void take_exceptions(const ChunkMemory<T>& chunk, unsigned block,
                                      const Encoding& encoding, Integers<T>& values) {
  const std::uint32_t mask = chunk.exceptions[block];
  const std::uint8_t* from = encoding.in + chunk.at[block] + packed_size(chunk.widths[block]) + 3;
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) {
    if ((mask >> i & 1) == 0) continue;
    Unsigned<T> bits = 0;
    TIGHTWIRE_UNROLL
    for (unsigned j = 0; j < sizeof(T); ++j) bits |= Unsigned<T>{from[j]} << 8 * j;
    values.of[i] = bits_as<Unsigned<T>>(sign_from_lowest<T>(bits));
    from += sizeof(T);
  }
}

// The words of the chunk, which are bits of values, to where these go: neighbouring lanes store
// neighbouring vectors.
template <class T>
TIGHTWIRE_KERNEL void store_words(auto& lanes, ChunkMemory<T>& chunk, unsigned count, T* values) {
  constexpr unsigned of_vector = vector_bytes / sizeof(T);
  constexpr unsigned of_block = block_values / of_vector;
  const unsigned vectors = beyond_vector(values) == 0 ? count / of_vector : 0;
  lanes.each(vectors, [&](unsigned i) {
    const Unsigned<T>* const from = chunk.block(i / of_block) + i % of_block * of_vector;
    store_whole(load_whole<Vector>(from), values + i * of_vector);
  });
  const unsigned left = count - vectors * of_vector;
  if (left == 0) return;
  lanes.each(left, [&](unsigned i) {
    const unsigned at = vectors * of_vector + i;
    values[at] = bits_as<T>(chunk.word(at));
  });
}

// The values on `grid`; as read_integers(), and where that is false nothing in `values` counts.
template <class T>
TIGHTWIRE_KERNEL bool decode_chunk(auto& lanes, const std::uint8_t* in, std::uint32_t size,
                                   unsigned count, const Grid<T>& grid, const std::uint8_t* header,
                                   ChunkMemory<T>& chunk, T* values) {
  using Lanes = std::remove_reference_t<decltype(lanes)>;
  typename Lanes::template Kept<Integers<T>, Extent<T>::blocks> kept;
  Encoding encoding{};
  if (!read_integers(lanes, kept, in, size, count, header, chunk, encoding)) return false;
  const unsigned blocks = parts_of(count, block_values);
  if (chunk.any_exceptions != 0) {
    lanes.each(kept, blocks, [&](unsigned b, Integers<T>& integers) {
      finish_block(chunk, b, encoding, integers);
      dequantise_block(integers, grid);
      if (chunk.exceptions[b] != 0) take_exceptions(chunk, b, encoding, integers);
    });
    lanes.each(kept, blocks, [&](unsigned b, Integers<T>& bits) {
      store_block(bits.of, block_values, chunk.block(b));
    });
  } else {
    lanes.each(kept, blocks, [&](unsigned b, Integers<T>& integers) {
      finish_block(chunk, b, encoding, integers);
      dequantise_block(integers, grid);
      // Where the encoding was.
      store_block(integers.of, block_values, chunk.block(b));
    });
  }
  store_words(lanes, chunk, count, values);
  return true;
}

}  // namespace tightwire::device
