// What prediction leaves of the integers of a chunk, and which predictor leaves least.
#pragma once

#include "device/kernels/scalar.h"
#include "device/kernels/scan.h"

namespace tightwire::device {

template <class T>
TIGHTWIRE_KERNEL void begin_chunk(auto& lanes, ChunkMemory<T>& chunk) {
  lanes.each(1, [&](unsigned) {
    chunk.bits[0] = chunk.bits[1] = chunk.bits[2] = 0;
    chunk.any_exceptions = 0;
    chunk.any_in_sum = 0;
    chunk.any_escapes = 0;
    chunk.bad_header = 0;
    chunk.bad = 0;
    chunk.bad_widths = 0;
  });
}

// The values of a block that have residuals: those that are there, and no exceptions.
template <class T>
TIGHTWIRE_KERNEL std::uint32_t predicted_in(const ChunkMemory<T>& chunk, unsigned count,
                                            unsigned block) {
  return ~std::uint32_t{chunk.exceptions[block]} & ((1u << lanes_of(count, block)) - 1);
}
inline constexpr std::uint32_t whole_block = (1u << block_values) - 1;

// The last integer of a block that is no exception; there is one. A lane that has not waited for
// the others stays in the chunk's memory all the same.
template <class T>
TIGHTWIRE_KERNEL Unsigned<T> last_integer(ChunkMemory<T>& chunk, unsigned count, unsigned block) {
  block %= Extent<T>::blocks;
  return chunk.block(block)[(bit_width(predicted_in(chunk, count, block)) - 1) % block_values];
}

// Exceptions hold the integer before them, or 0, so that they leave no residual.
template <class T>
TIGHTWIRE_KERNEL void hold_at_exceptions(auto& lanes, unsigned count, ChunkMemory<T>& chunk) {
  const unsigned blocks = parts_of(count, block_values);
  lanes.each(blocks, [&](unsigned b) {
    chunk.last_held[0][b] = predicted_in(chunk, count, b) != 0 ? b + 1 : 0;
  });
  const std::uint32_t* const last =
      scan(lanes, chunk.last_held[0], chunk.last_held[1], blocks,
           [](std::uint32_t first, std::uint32_t second) { return second != 0 ? second : first; });
  lanes.each(blocks, [&](unsigned b) {
    const std::uint32_t before = b == 0 ? 0 : last[b - 1];
    Unsigned<T> held = before == 0 ? 0 : last_integer(chunk, count, before - 1);
    Unsigned<T>* const words = chunk.block(b);
    for (unsigned i = 0; i < lanes_of(count, b); ++i) {
      if ((chunk.exceptions[b] >> i & 1) != 0) words[i] = held;
      held = words[i];
    }
  });
}

// The two integers before a block, the nearest first.
template <class T>
struct Before {
  Unsigned<T> last;
  Unsigned<T> second;
};

template <class T>
TIGHTWIRE_KERNEL Before<T> before_block(ChunkMemory<T>& chunk, unsigned block) {
  if (block == 0) return {0, 0};
  const Unsigned<T>* const words = chunk.block(block - 1);
  return {words[block_values - 1], words[block_values - 2]};
}

TIGHTWIRE_KERNEL unsigned width_place(Predictor predictor) {
  return 8 * static_cast<unsigned>(predictor);
}

struct Widths {
  unsigned of[3];  // by predictor
};

template <bool whole, class T>
TIGHTWIRE_KERNEL Widths widths_by_each(const Unsigned<T>* words, Before<T> before,
                                       std::uint32_t predicted) {
  using U = Unsigned<T>;
  U any[3] = {0, 0, 0};
  U last = before.last;
  U slope = static_cast<U>(before.last - before.second);
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) {
    const U word = words[i];
    const U step = static_cast<U>(word - last);
    if (whole || (predicted >> i & 1) != 0) {
      any[0] |= as_wide_as_folded(word);
      any[1] |= as_wide_as_folded(step);
      any[2] |= as_wide_as_folded(static_cast<U>(step - slope));
    }
    last = word;
    slope = step;
  }
  return {{bit_width(any[0]), bit_width(any[1]), bit_width(any[2])}};
}

// The width of each block by each predictor, in chunk.at, and the sums of them.
template <class T>
TIGHTWIRE_KERNEL void measure_residuals(auto& lanes, unsigned count, ChunkMemory<T>& chunk) {
  lanes.each(parts_of(count, block_values), [&](unsigned b) {
    const Before<T> before = before_block(chunk, b);
    const std::uint32_t predicted = predicted_in(chunk, count, b);
    const Widths widths = predicted == whole_block
                              ? widths_by_each<true, T>(chunk.block(b), before, predicted)
                              : widths_by_each<false, T>(chunk.block(b), before, predicted);
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < 3; ++i) lanes.add(chunk.bits[i], widths.of[i]);
    chunk.at[b] = widths.of[0] | widths.of[1] << 8 | widths.of[2] << 16;
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

// Leaves the widths of the blocks by each predictor in chunk.at.
template <class T>
TIGHTWIRE_KERNEL Predictor choose_predictor(auto& lanes, unsigned count, ChunkMemory<T>& chunk) {
  if (chunk.any_exceptions != 0) hold_at_exceptions(lanes, count, chunk);
  measure_residuals(lanes, count, chunk);
  return least_bits(chunk);
}

// Residuals of a block, as they are packed; 0 where there is none.
template <class T>
struct Residuals {
  Unsigned<T> of[block_values];
};

// predicted(last, slope) is what is expected after `last`, which was `slope` above the one before.
template <class T, class Predict>
TIGHTWIRE_KERNEL void take_residuals(const Unsigned<T>* words, Before<T> before,
                                     std::uint32_t predicted, Predict predict,
                                     Residuals<T>& residuals) {
  using U = Unsigned<T>;
  U last = before.last;
  U slope = static_cast<U>(before.last - before.second);
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) {
    const U word = words[i];
    residuals.of[i] = fold_sign(static_cast<U>(word - predict(last, slope)));
    slope = static_cast<U>(word - last);
    last = word;
  }
  if (predicted == whole_block) return;
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) {
    if ((predicted >> i & 1) == 0) residuals.of[i] = 0;
  }
}

template <class T>
TIGHTWIRE_KERNEL void residuals_of(ChunkMemory<T>& chunk, unsigned count, unsigned block,
                                   Predictor predictor, Residuals<T>& residuals) {
  using U = Unsigned<T>;
  const U* const words = chunk.block(block);
  const Before<T> before = before_block(chunk, block);
  const std::uint32_t predicted = predicted_in(chunk, count, block);
  if (predictor == Predictor::none) {
    take_residuals<T>(
        words, before, predicted, [](U, U) { return U{0}; }, residuals);
  } else if (predictor == Predictor::previous) {
    take_residuals<T>(
        words, before, predicted, [](U last, U) { return last; }, residuals);
  } else {
    take_residuals<T>(
        words, before, predicted, [](U last, U slope) { return static_cast<U>(last + slope); },
        residuals);
  }
}

}  // namespace tightwire::device
