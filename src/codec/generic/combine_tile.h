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

template <class T>
T value_at(const Tile<T>& tile, std::size_t i, const Grid<T>& grid) {
  const bool exception = (tile.exceptions[i / block_values] >> (i % block_values) & 1) != 0;
  return exception ? tile.verbatim[i] : dequantise_one(tile.q[i], grid);
}

// Lanes that cannot be combined as integers: exceptions of an operand, and sums beyond the grid.
template <Operation operation, class T>
std::uint32_t combine_block(const Tile<T>& a, const Tile<T>& b, std::size_t block,
                            const Grid<T>& grid, Tile<T>& out) {
  using B = Block<typename Lane<T>::Unsigned>;
  const std::size_t first = block * block_values;
  const B qa = B::load(a.q + first);
  const B qb = B::load(b.q + first);
  std::uint32_t bad = 0;
  B result;
  if constexpr (operation == Operation::sum) {
    bad = B::add(qa, qb, grid.sum_limit, result);
  } else if constexpr (operation == Operation::min) {
    result = B::smaller(qa, qb);
  } else {
    result = B::larger(qa, qb);
  }
  result.store(out.q + first);
  return (bad | a.exceptions[block] | b.exceptions[block]);
}

template <class T>
void combine_exceptions(Operation operation, const Tile<T>& a, const Tile<T>& b, std::size_t block,
                        const Grid<T>& grid, Tile<T>& out) {
  for (unsigned rest = out.exceptions[block]; rest != 0; rest &= rest - 1) {
    const std::size_t i = block * block_values + static_cast<std::size_t>(std::countr_zero(rest));
    out.verbatim[i] = combine_values_of(operation, value_at(a, i, grid), value_at(b, i, grid));
  }
  settle_exceptions(out, block, grid);
}

// out.q and out.count have been set. Where either operand is no integer, or the sum leaves the
// grid, the values are combined in floating point.
template <Operation operation, class T>
void combine_tiles_by(const Tile<T>& a, const Tile<T>& b, const Grid<T>& grid, Tile<T>& out) {
  std::uint32_t any = 0;
  for (std::size_t block = 0; block < out.blocks(); ++block) {
    const std::uint32_t bad =
        combine_block<operation>(a, b, block, grid, out) & out.all_lanes(block);
    out.exceptions[block] = static_cast<std::uint16_t>(bad);
    any |= bad;
  }
  out.any_exceptions = any != 0;
  if (any == 0) return;
  for (std::size_t block = 0; block < out.blocks(); ++block) {
    if (out.exceptions[block] != 0) combine_exceptions(operation, a, b, block, grid, out);
  }
}

template <class T>
void combine_tiles(Operation operation, const Tile<T>& a, const Tile<T>& b, const Grid<T>& grid,
                   Tile<T>& out) {
  switch (operation) {
    case Operation::sum:
      return combine_tiles_by<Operation::sum>(a, b, grid, out);
    case Operation::min:
      return combine_tiles_by<Operation::min>(a, b, grid, out);
    case Operation::max:
      return combine_tiles_by<Operation::max>(a, b, grid, out);
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
