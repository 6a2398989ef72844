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
  lanes.each(count, [&](unsigned i) {
    const T value = load_value<T>(in, i);
    Int<T> q = 0;
    if (!quantise(value, grid, q)) {
      note_exception(lanes, i, chunk);
      kept[i] = value;
    }
    chunk.word(i) = static_cast<Unsigned<T>>(q);
  });
}

// Integers of the operand that is encoded, and its exceptions in `kept`.
template <class T>
TIGHTWIRE_KERNEL bool read_operand(auto& lanes, const std::uint8_t* in, std::uint32_t size,
                                   unsigned count, const Grid<T>& grid, const std::uint8_t* header,
                                   ChunkMemory<T>& chunk, T* kept) {
  if (size == count * sizeof(T)) {
    quantise_stored(lanes, in, count, grid, chunk, kept);
    return true;
  }
  if (!read_integers(lanes, in, size, count, header, chunk)) return false;
  if (chunk.any_exceptions != 0) read_exceptions(lanes, in, count, chunk, kept);
  return true;
}

template <class T>
TIGHTWIRE_KERNEL Operand<T> operand_of(T value, const Grid<T>& grid) {
  Operand<T> operand{0, value, false};
  operand.kept = !quantise(value, grid, operand.q);
  return operand;
}

// Words and `kept` become those of the sum. Until all lanes have read which values of the operand
// were exceptions, those of the sum are noted in chunk.at.
template <class T>
TIGHTWIRE_KERNEL void add_own(auto& lanes, const T* own, unsigned count, const Grid<T>& grid,
                              ChunkMemory<T>& chunk, T* kept) {
  const unsigned blocks = parts_of(count, block_values);
  lanes.each(blocks, [&](unsigned b) {
    chunk.at[b] = 0;
    if (b == 0) chunk.total = 0;
  });
  lanes.each(count, [&](unsigned i) {
    const unsigned block = i / block_values;
    const std::uint32_t bit = 1u << i % block_values;
    Operand<T> there{static_cast<Int<T>>(chunk.word(i)), 0, (chunk.exceptions[block] & bit) != 0};
    if (there.kept) there.value = kept[i];
    const Operand<T> sum = add_operands(there, operand_of(own[i], grid), grid);
    chunk.word(i) = static_cast<Unsigned<T>>(sum.q);
    if (!sum.kept) return;
    kept[i] = sum.value;
    lanes.set_bits(chunk.at[block], bit);
    lanes.set_bits(chunk.total, 1);
  });
  lanes.each(blocks, [&](unsigned b) {
    chunk.exceptions[b] = chunk.at[b];
    if (b == 0) chunk.any_exceptions = chunk.total;
  });
}

// `in` is a chunk of `size` bytes with a header like `header`, or stored, `own` its other operand,
// `kept` memory for as many values. place() is as for encode_chunk(), and not asked where the
// answer is false: the chunk is damaged, or none of the profile.
template <class T, class Place>
TIGHTWIRE_KERNEL bool merge_chunk(auto& lanes, const std::uint8_t* in, std::uint32_t size,
                                  const T* own, unsigned count, const Grid<T>& grid,
                                  const std::uint8_t* header, ChunkMemory<T>& chunk, T* kept,
                                  Place place) {
  if (!read_operand(lanes, in, size, count, grid, header, chunk, kept)) return false;
  add_own(lanes, own, count, grid, chunk, kept);
  write_chunk(lanes, kept, count, header, chunk, place, [&](std::uint8_t* out) {
    lanes.each(count, [&](unsigned i) {
      const bool exception = (chunk.exceptions[i / block_values] >> i % block_values & 1) != 0;
      const auto q = static_cast<Int<T>>(chunk.word(i));
      store_value(exception ? kept[i] : dequantise(q, grid), out, i);
    });
  });
  return true;
}

}  // namespace tightwire::device
