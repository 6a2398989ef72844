// Values to integers, a block to a lane.
#pragma once

#include "device/kernels/copy.h"
#include "device/kernels/scalar.h"

namespace tightwire::device {

// True if all values of a block go the shortest way, by which `q` has their integers then.
template <class T>
TIGHTWIRE_KERNEL bool quantise_quickly(const T* values, const Grid<T>& grid, Int<T>* q) {
  const T rounder = rounder_of(T(0));
  const T limit = static_cast<T>(grid.fast_limit);
  bool all = grid.usable && !grid.wide_encode;
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) {
    const T scaled = (values[i] - grid.origin) * grid.inverse;
    const bool too_small =
        bits_as<Unsigned<T>>(values[i]) != 0 && magnitude(values[i]) < grid.exact_below;
    all = all & (magnitude(scaled) <= limit) & !too_small;
    q[i] =
        static_cast<Int<T>>(bits_as<Unsigned<T>>(scaled + rounder) - bits_as<Unsigned<T>>(rounder));
  }
  return all;
}

// The words of a block, which has `lanes_there` values. Returns its exceptions, whose words are 0.
template <class T>
TIGHTWIRE_KERNEL std::uint32_t quantise_slowly(const T* from, unsigned lanes_there,
                                               const Grid<T>& grid, Unsigned<T>* words) {
  std::uint32_t exceptions = 0;
  TIGHTWIRE_ROLLED
  for (unsigned i = 0; i < block_values; ++i) {
    Int<T> q = 0;
    if (i < lanes_there && !quantise(from[i], grid, q)) exceptions |= 1u << i;
    words[i] = static_cast<Unsigned<T>>(q);
  }
  return exceptions;
}

template <class T>
TIGHTWIRE_KERNEL std::uint32_t quantise_block(const T* from, unsigned lanes_there,
                                              const Grid<T>& grid, Unsigned<T>* words) {
  T values[block_values];
  Int<T> q[block_values];
  load_block(from, lanes_there, values);
  if (lanes_there == block_values && quantise_quickly(values, grid, q)) {
    store_block(reinterpret_cast<const Unsigned<T>*>(q), block_values, words);
    return 0;
  }
  return quantise_slowly(from, lanes_there, grid, words);
}

}  // namespace tightwire::device
