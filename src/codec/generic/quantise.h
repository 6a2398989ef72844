// Values to integers and back.
#pragma once

#include <bit>
#include <cmath>

#include "codec/generic/tile.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// 1.5 * 2^mantissa: adding it leaves the nearest integer (ties to even) in the low bits.
template <class T>
inline constexpr T rounder = sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52);

template <class T>
bool is_negative_zero(T value) {
  using U = typename Lane<T>::Unsigned;
  return std::bit_cast<U>(value) == U{1} << (sizeof(T) * 8 - 1);
}

// False if the grid cannot hold the value; then q is not changed.
template <class T>
bool quantise_one(T value, const Grid<T>& grid, typename Lane<T>::Int& q) {
  using Int = typename Lane<T>::Int;
  if (is_negative_zero(value) || !grid.usable) return false;
  const T scaled = value * grid.inverse;
  if (std::abs(scaled) <= static_cast<T>(grid.fast_limit)) {
    q = std::bit_cast<Int>(scaled + rounder<T>) - std::bit_cast<Int>(rounder<T>);
    return true;
  }
  const double wide = static_cast<double>(value) * grid.wide_inverse;
  if (!(std::abs(wide) <= static_cast<double>(grid.limit))) return false;
  q = static_cast<Int>(std::bit_cast<std::int64_t>(wide + rounder<double>) -
                       std::bit_cast<std::int64_t>(rounder<double>));
  return true;
}

inline float dequantise_one(std::int32_t q, const Grid<float>& grid) {
  if (!grid.wide_decode) return static_cast<float>(q) * grid.step;
  return static_cast<float>(static_cast<double>(q) * static_cast<double>(grid.step));
}

// Integers of valid encodings lie within 2^51; others give some value, the same on every machine.
inline double dequantise_one(std::int64_t q, const Grid<double>& grid) {
  const auto bits = static_cast<std::uint64_t>(q) + std::bit_cast<std::uint64_t>(rounder<double>);
  return (std::bit_cast<double>(bits) - rounder<double>)*grid.step;
}

// A block with too many exceptions becomes one as a whole: a mask would cost more than it saves.
template <class T>
void settle_exceptions(Tile<T>& tile, std::size_t block, const Grid<T>& grid) {
  const std::size_t first = block * block_values;
  std::uint16_t& mask = tile.exceptions[block];
  int with_value = 0;
  for (std::size_t i = 0; i < tile.lanes(block); ++i) {
    if ((mask >> i & 1) != 0 && !is_negative_zero(tile.verbatim[first + i])) ++with_value;
  }
  if (with_value <= bounded::most_exceptions) return;
  for (std::size_t i = 0; i < tile.lanes(block); ++i) {
    if ((mask >> i & 1) == 0) tile.verbatim[first + i] = dequantise_one(tile.q[first + i], grid);
  }
  mask = tile.all_lanes(block);
}

template <class T>
void quantise_exceptions(const std::byte* values, std::size_t block, const Grid<T>& grid,
                         Tile<T>& tile) {
  const std::size_t first = block * block_values;
  std::uint16_t mask = 0;
  int with_value = 0;
  for (std::size_t i = 0; i < tile.lanes(block); ++i) {
    const T value = load<T>(values + (first + i) * sizeof(T));
    tile.verbatim[first + i] = value;
    if (quantise_one(value, grid, tile.q[first + i])) continue;
    mask = static_cast<std::uint16_t>(mask | 1u << i);
    if (!is_negative_zero(value)) ++with_value;
  }
  if (with_value > bounded::most_exceptions) mask = tile.all_lanes(block);
  tile.exceptions[block] = mask;
  tile.any_exceptions |= mask != 0;
}

// Sets everything but tile.q itself and tile.count, which the caller has set. Integers of
// exceptions are left to the predictor.
template <class T>
void quantise_tile(const std::byte* values, const Grid<T>& grid, Tile<T>& tile) {
  tile.any_exceptions = false;
  for (std::size_t block = 0; block < tile.blocks(); ++block) {
    tile.exceptions[block] = 0;
    quantise_exceptions(values, block, grid, tile);
  }
}

template <class T>
void dequantise_tile(const Tile<T>& tile, const Grid<T>& grid, std::byte* values) {
  for (std::size_t i = 0; i < tile.count; ++i) {
    store(dequantise_one(tile.q[i], grid), values + i * sizeof(T));
  }
  if (!tile.any_exceptions) return;
  for (std::size_t i = 0; i < tile.count; ++i) {
    if ((tile.exceptions[i / block_values] >> (i % block_values) & 1) != 0) {
      store(tile.verbatim[i], values + i * sizeof(T));
    }
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
