// Sum, minimum and maximum of two tiles of integers.
#pragma once

#include "codec/bounded.h"
#include "codec/generic/quantise.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

using bounded::Operation;

template <class T>
T combine_values_of(Operation operation, T a, T b) {
  switch (operation) {
    case Operation::sum:
      return a + b;
    case Operation::min:
      return b < a ? b : a;
    case Operation::max:
      return a < b ? b : a;
  }
  return a;
}

// False if the integer result leaves the range of the grid.
template <class Int>
bool combine_integers(Operation operation, Int a, Int b, Int sum_limit, Int& result) {
  if (operation == Operation::min) {
    result = std::min(a, b);
    return true;
  }
  if (operation == Operation::max) {
    result = std::max(a, b);
    return true;
  }
  return !__builtin_add_overflow(a, b, &result) && result <= sum_limit && result >= -sum_limit;
}

template <class T>
T value_at(const Tile<T>& tile, std::size_t i, const Grid<T>& grid) {
  const bool exception = (tile.exceptions[i / block_values] >> (i % block_values) & 1) != 0;
  return exception ? tile.verbatim[i] : dequantise_one(tile.q[i], grid);
}

// out.q and out.count have been set. Where either operand is no integer, or the sum leaves the
// grid, the values are combined in floating point.
template <class T>
void combine_tiles(Operation operation, const Tile<T>& a, const Tile<T>& b, const Grid<T>& grid,
                   Tile<T>& out) {
  out.any_exceptions = false;
  for (std::size_t block = 0; block < out.blocks(); ++block) {
    std::uint16_t mask = 0;
    for (std::size_t lane = 0; lane < out.lanes(block); ++lane) {
      const std::size_t i = block * block_values + lane;
      const bool exception = ((a.exceptions[block] | b.exceptions[block]) >> lane & 1) != 0;
      if (!exception && combine_integers(operation, a.q[i], b.q[i], grid.sum_limit, out.q[i])) {
        continue;
      }
      mask = static_cast<std::uint16_t>(mask | 1u << lane);
      out.verbatim[i] = combine_values_of(operation, value_at(a, i, grid), value_at(b, i, grid));
    }
    out.exceptions[block] = mask;
    if (mask != 0) {
      settle_exceptions(out, block, grid);
      out.any_exceptions = true;
    }
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
