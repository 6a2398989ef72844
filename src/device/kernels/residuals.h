// Integers of a chunk, what prediction leaves of them, and which predictor leaves least.
#pragma once

#include "device/kernels/scalar.h"
#include "device/kernels/scan.h"

namespace tightwire::device {

template <class T>
TIGHTWIRE_KERNEL void note_exception(auto& lanes, unsigned i, ChunkMemory<T>& chunk) {
  lanes.set_bits(chunk.exceptions[i / block_values], 1u << i % block_values);
  lanes.set_bits(chunk.any_exceptions, 1);
}

template <class T>
TIGHTWIRE_KERNEL void begin_chunk(auto& lanes, ChunkMemory<T>& chunk) {
  lanes.each(Extent<T>::blocks, [&](unsigned b) {
    chunk.exceptions[b] = 0;
    if (b < 3) chunk.bits[b] = 0;
    if (b == 3) chunk.any_exceptions = 0;
    if (b == 4) chunk.bad = 0;
    if (b == 5) chunk.any_escapes = 0;
  });
}

// After begin_chunk().
template <class T>
TIGHTWIRE_KERNEL void quantise_chunk(auto& lanes, const T* values, unsigned count,
                                     const Grid<T>& grid, ChunkMemory<T>& chunk) {
  lanes.each(count, [&](unsigned i) {
    Int<T> q = 0;
    if (!quantise(values[i], grid, q)) note_exception(lanes, i, chunk);
    chunk.word(i) = static_cast<Unsigned<T>>(q);
  });
}

// The last integer of a block.
template <class T>
TIGHTWIRE_KERNEL Held<T> last_of(ChunkMemory<T>& chunk, unsigned block, unsigned lanes_there) {
  const std::uint32_t held = ~chunk.exceptions[block] & ((1u << lanes_there) - 1);
  if (held == 0) return {0, 0};
  return {chunk.word(block * block_values + bit_width(held) - 1), 1};
}

// Exceptions hold the integer before them, or 0, so that they leave no residual.
template <class T>
TIGHTWIRE_KERNEL void hold_at_exceptions(auto& lanes, unsigned count, ChunkMemory<T>& chunk) {
  const unsigned blocks = parts_of(count, block_values);
  lanes.each(blocks, [&](unsigned b) { chunk.held[0][b] = last_of(chunk, b, lanes_of(count, b)); });
  const Held<T>* const last = scan(lanes, chunk.held[0], chunk.held[1], blocks,
                                   [](const Held<T>& first, const Held<T>& second) {
                                     return second.known != 0 ? second : first;
                                   });
  lanes.each(blocks, [&](unsigned b) {
    Unsigned<T> held = b == 0 ? 0 : last[b - 1].integer;
    for (unsigned i = 0; i < lanes_of(count, b); ++i) {
      Unsigned<T>& word = chunk.word(b * block_values + i);
      if ((chunk.exceptions[b] >> i & 1) != 0) word = held;
      held = word;
    }
  });
}

template <class T>
TIGHTWIRE_KERNEL Before<T> before_block(ChunkMemory<T>& chunk, unsigned block) {
  if (block == 0) return {0, 0};
  const unsigned first = block * block_values;
  return {chunk.word(first - 1), chunk.word(first - 2)};
}

// Calls use(i, residual) for each value of a block in turn. Integers of exceptions are held.
template <class T, class Use>
TIGHTWIRE_KERNEL void residuals_of(ChunkMemory<T>& chunk, unsigned block, unsigned lanes_there,
                                   Before<T> before, Predictor predictor, Use use) {
  using U = Unsigned<T>;
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) {
    if (i >= lanes_there) continue;
    const U word = chunk.word(block * block_values + i);
    const bool exception = (chunk.exceptions[block] >> i & 1) != 0;
    U predicted = 0;
    if (predictor == Predictor::previous) predicted = before.last;
    if (predictor == Predictor::second) predicted = 2 * before.last - before.second;
    use(i, exception ? U{0} : fold_sign(static_cast<U>(word - predicted)));
    before = {word, before.last};
  }
}

TIGHTWIRE_KERNEL unsigned width_place(Predictor predictor) {
  return 8 * static_cast<unsigned>(predictor);
}

// The width of each block by each predictor, in chunk.at, and the sums of them.
template <class T>
TIGHTWIRE_KERNEL void measure_residuals(auto& lanes, unsigned count, ChunkMemory<T>& chunk) {
  lanes.each(parts_of(count, block_values), [&](unsigned b) {
    const Before<T> before = before_block(chunk, b);
    chunk.before[b] = before;
    std::uint32_t widths = 0;
    for (const Predictor predictor : {Predictor::none, Predictor::previous, Predictor::second}) {
      Unsigned<T> any = 0;
      residuals_of(chunk, b, lanes_of(count, b), before, predictor,
                   [&](unsigned, Unsigned<T> residual) { any |= residual; });
      lanes.add(chunk.bits[static_cast<unsigned>(predictor)], bit_width(any));
      widths |= bit_width(any) << width_place(predictor);
    }
    chunk.at[b] = widths;
  });
}

// A slope would lead far away where values are missing.
template <class T>
TIGHTWIRE_KERNEL Predictor least_bits(const ChunkMemory<T>& chunk) {
  const std::uint32_t* const bits = chunk.bits;
  Predictor best = Predictor::previous;
  std::uint32_t least = bits[1];
  if (bits[0] < least) {
    best = Predictor::none;
    least = bits[0];
  }
  const bool better = chunk.any_exceptions == 0 && bits[2] < least;
  return better ? Predictor::second : best;
}

// Leaves the widths of the blocks by the predictor that is returned, and the integers before them.
template <class T>
TIGHTWIRE_KERNEL Predictor choose_predictor(auto& lanes, unsigned count, ChunkMemory<T>& chunk) {
  if (chunk.any_exceptions != 0) hold_at_exceptions(lanes, count, chunk);
  measure_residuals(lanes, count, chunk);
  const Predictor predictor = least_bits(chunk);
  lanes.each(parts_of(count, block_values), [&](unsigned b) {
    chunk.widths[b] = static_cast<std::uint8_t>(chunk.at[b] >> width_place(predictor));
  });
  return predictor;
}

}  // namespace tightwire::device
