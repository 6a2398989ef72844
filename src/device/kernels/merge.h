// The encoding of a sum from the encoding of one operand and the values of the other, in one pass:
// a step of a ring.
#pragma once

#include "device/kernels/decode.h"
#include "device/kernels/encode.h"
#include "device/kernels/sum.h"

namespace tightwire::device {

// Bytes have no alignment.
template <class T>
TIGHTWIRE_KERNEL T load_value(const std::uint8_t* in, unsigned i) {
  T value;
  memcpy(&value, in + i * sizeof(T), sizeof value);
  return value;
}
template <class T>
TIGHTWIRE_KERNEL void store_value(T value, std::uint8_t* out, unsigned i) {
  memcpy(out + i * sizeof(T), &value, sizeof value);
}

// A stored chunk is taken as if it had been encoded.
template <class T>
TIGHTWIRE_KERNEL void quantise_stored(auto& lanes, const std::uint8_t* in, unsigned count,
                                      const Grid<T>& grid, ChunkMemory<T>& chunk, T* kept) {
  begin_chunk(lanes, chunk);
  lanes.each(parts_of(count, block_values), [&](unsigned b) {
    T* const values = kept + b * block_values;
    const unsigned lanes_there = lanes_of(count, b);
    for (unsigned i = 0; i < lanes_there; ++i) {
      values[i] = load_value<T>(in, b * block_values + i);
    }
    const std::uint32_t exceptions = quantise_slowly(values, lanes_there, grid, chunk.block(b));
    chunk.exceptions[b] = static_cast<std::uint16_t>(exceptions);
    if (exceptions != 0) lanes.set_bits(chunk.any_exceptions, 1);
  });
}

// Integers of the operand that is encoded, and its exceptions in `kept`.
template <class T>
TIGHTWIRE_KERNEL bool read_operand(auto& lanes, const std::uint8_t* in, std::uint32_t size,
                                   unsigned count, const Grid<T>& grid, const std::uint8_t* header,
                                   ChunkMemory<T>& chunk, T* kept) {
  using Lanes = std::remove_reference_t<decltype(lanes)>;
  if (size == count * sizeof(T)) {
    quantise_stored(lanes, in, count, grid, chunk, kept);
    return true;
  }
  typename Lanes::template Kept<Integers<T>, Extent<T>::blocks> integers;
  Encoding encoding{};
  if (!read_integers(lanes, integers, in, size, count, header, chunk, encoding)) return false;
  const unsigned blocks = parts_of(count, block_values);
  if (chunk.any_exceptions != 0) {
    lanes.each(blocks, [&](unsigned b) {
      if (chunk.exceptions[b] != 0) read_exceptions(chunk, b, encoding, kept + b * block_values);
    });
  }
  // Where the encoding was.
  lanes.each(integers, blocks, [&](unsigned b, Integers<T>& of_block) {
    finish_block(chunk, b, encoding, of_block);
    store_block(of_block.of, block_values, chunk.block(b));
  });
  return true;
}

template <class T>
TIGHTWIRE_KERNEL Operand<T> operand_of(T value, const Grid<T>& grid) {
  Operand<T> operand{0, value, false};
  operand.kept = !quantise(value, grid, operand.q);
  return operand;
}

// True if all values are quantised quickly and no sum is beyond the grid; then the words are those
// of the sum.
template <class T>
TIGHTWIRE_KERNEL bool add_quickly(const T* own, const Grid<T>& grid, Unsigned<T>* words) {
  T values[block_values];
  Int<T> sums[block_values];
  load_block(own, block_values, values);
  bool all = quantise_quickly(values, grid, sums);
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) {
    all = all & add_integers<T>(static_cast<Int<T>>(words[i]), sums[i], grid.sum_limit, sums[i]);
  }
  if (all) store_block(reinterpret_cast<const Unsigned<T>*>(sums), block_values, words);
  return all;
}

// One by one, with exceptions: other(i) is what is added to the i-th. Returns those of the sum;
// their values are in `kept`.
template <class T, class Other>
TIGHTWIRE_KERNEL std::uint32_t add_slowly(unsigned lanes_there, const Grid<T>& grid,
                                          std::uint32_t exceptions, Unsigned<T>* words, T* kept,
                                          Other other) {
  std::uint32_t of_sum = 0;
  TIGHTWIRE_ROLLED
  for (unsigned i = 0; i < lanes_there; ++i) {
    Operand<T> there{static_cast<Int<T>>(words[i]), 0, (exceptions >> i & 1) != 0};
    if (there.kept) there.value = kept[i];
    const Operand<T> sum = add_operands(there, other(i), grid);
    words[i] = static_cast<Unsigned<T>>(sum.q);
    if (!sum.kept) continue;
    kept[i] = sum.value;
    of_sum |= 1u << i;
  }
  return of_sum;
}

// What add_slowly() has found of a block's sum.
template <class T>
TIGHTWIRE_KERNEL void note_exceptions(auto& lanes, unsigned block, std::uint32_t exceptions,
                                      ChunkMemory<T>& chunk) {
  chunk.exceptions[block] = static_cast<std::uint16_t>(exceptions);
  if (exceptions != 0) lanes.set_bits(chunk.any_in_sum, 1);
}

// Words and `kept` become those of the sum.
template <class T>
TIGHTWIRE_KERNEL void add_own(auto& lanes, const T* own, unsigned count, const Grid<T>& grid,
                              ChunkMemory<T>& chunk, T* kept) {
  lanes.each(parts_of(count, block_values), [&](unsigned b) {
    const unsigned first = b * block_values;
    const unsigned lanes_there = lanes_of(count, b);
    const bool quick = chunk.exceptions[b] == 0 && lanes_there == block_values &&
                       add_quickly(own + first, grid, chunk.block(b));
    if (quick) return;
    const auto own_at = [&](unsigned i) { return operand_of(own[first + i], grid); };
    note_exceptions(
        lanes, b,
        add_slowly(lanes_there, grid, chunk.exceptions[b], chunk.block(b), kept + first, own_at),
        chunk);
  });
  lanes.each(1, [&](unsigned) { chunk.any_exceptions = chunk.any_in_sum; });
}

// What add_own() has left to its encoding.
template <class T, class Place>
TIGHTWIRE_KERNEL void write_sum(auto& lanes, unsigned count, const Grid<T>& grid,
                                const std::uint8_t* header, ChunkMemory<T>& chunk, T* kept,
                                Place& place) {
  write_chunk(lanes, kept, count, header, chunk, place, [&](std::uint8_t* out) {
    lanes.each(count, [&](unsigned i) {
      const bool exception = (chunk.exceptions[i / block_values] >> i % block_values & 1) != 0;
      const auto q = static_cast<Int<T>>(chunk.word(i));
      store_value(exception ? kept[i] : dequantise(q, grid), out, i);
    });
  });
}

// `in` is a chunk of `size` bytes with a header like `header`, or stored, `own` its other operand,
// `kept` memory for as many values. `place` is as for encode_chunk(), and not asked where the
// answer is false: the chunk is damaged, or none of the profile.
template <class T, class Place>
TIGHTWIRE_KERNEL bool merge_chunk(auto& lanes, const std::uint8_t* in, std::uint32_t size,
                                  const T* own, unsigned count, const Grid<T>& grid,
                                  const std::uint8_t* header, ChunkMemory<T>& chunk, T* kept,
                                  Place& place) {
  if (!read_operand(lanes, in, size, count, grid, header, chunk, kept)) return false;
  add_own(lanes, own, count, grid, chunk, kept);
  write_sum(lanes, count, grid, header, chunk, kept, place);
  return true;
}

}  // namespace tightwire::device
