// Sum, minimum and maximum of two tiles of integers, and the negative of one.
#pragma once

#include "codec/bounded/bounded.h"
#include "codec/simd/generic/quantise.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

using bounded::Operation;

// One of those that are NaN, made quiet: the one with the larger bits, whichever comes first.
template <class T>
T nan_of(T a, T b) {
  using U = typename Lane<T>::Unsigned;
  constexpr U quiet = std::bit_cast<U>(std::numeric_limits<T>::quiet_NaN());
  const U bits_a = std::isnan(a) ? std::bit_cast<U>(a) | quiet : 0;
  const U bits_b = std::isnan(b) ? std::bit_cast<U>(b) | quiet : 0;
  return std::bit_cast<T>(std::max(bits_a, bits_b));
}

// In the order of the numbers, -0 before +0.
template <class T>
bool precedes(T a, T b) {
  using Int = typename Lane<T>::Int;
  return ordered(std::bit_cast<Int>(a)) < ordered(std::bit_cast<Int>(b));
}

// Commutative to the bit.
template <class T>
T combine_values_of(Operation operation, T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return nan_of(a, b);
  if (operation == Operation::min) return precedes(a, b) ? a : b;
  if (operation == Operation::max) return precedes(a, b) ? b : a;
  const T sum = a + b;
  return std::isnan(sum) ? std::numeric_limits<T>::quiet_NaN() : sum;
}

template <class T>
T value_at(const Tile<T>& tile, std::size_t i, const Grid<T>& grid) {
  return tile.is_exception(i) ? tile.verbatim[i] : dequantise_one(tile.q[i], grid);
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

// Whether the result is the integer that one operand has, whatever value the other one kept: of a
// sum if that is negligible on any grid, of a minimum or maximum if the integer's value wins.
template <class T>
bool is_integer_of(Operation operation, T kept, T other, const Grid<T>& grid) {
  if (operation == Operation::sum) return std::abs(kept) < grid.negligible;
  return std::bit_cast<typename Lane<T>::Int>(combine_values_of(operation, kept, other)) ==
         std::bit_cast<typename Lane<T>::Int>(other);
}

template <class T>
bool take_integer(Operation operation, const Tile<T>& kept, const Tile<T>& other, std::size_t i,
                  const Grid<T>& grid, Tile<T>& out) {
  if (!kept.is_exception(i) || other.is_exception(i)) return false;
  if (!is_integer_of(operation, kept.verbatim[i], dequantise_one(other.q[i], grid), grid)) {
    return false;
  }
  out.q[i] = other.q[i];
  return true;
}

template <class T>
void combine_exceptions(Operation operation, const Tile<T>& a, const Tile<T>& b, std::size_t block,
                        const Grid<T>& grid, Tile<T>& out) {
  for_each_exception(out.exceptions[block], [&](std::size_t lane) {
    const std::size_t i = block * block_values + lane;
    if (take_integer(operation, a, b, i, grid, out) ||
        take_integer(operation, b, a, i, grid, out)) {
      out.exceptions[block] = static_cast<std::uint16_t>(out.exceptions[block] & ~(1u << lane));
    } else {
      out.verbatim[i] = combine_values_of(operation, value_at(a, i, grid), value_at(b, i, grid));
    }
  });
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
  out.any_exceptions = false;
  if (any == 0) return;
  for (std::size_t block = 0; block < out.blocks(); ++block) {
    if (out.exceptions[block] != 0) combine_exceptions(operation, a, b, block, grid, out);
    out.any_exceptions |= out.exceptions[block] != 0;
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
