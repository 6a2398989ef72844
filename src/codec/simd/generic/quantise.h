// Values to integers and back, a tile at a time.
#pragma once

#include "codec/simd/generic/tile.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Values are read in bursts, which hardware does not foresee. Harmless beyond the end of a buffer.
template <class T>
[[gnu::always_inline]] inline void fetch_for_next_tile(const std::byte* values) {
  for (std::size_t line = 0; line < block_values * sizeof(T); line += 64) {
    __builtin_prefetch(values + tile_values * sizeof(T) + line, 0);
  }
}
template <class T>
[[gnu::always_inline]] inline void fetch_next_tile_to_write(std::byte* values) {
  for (std::size_t line = 0; line < block_values * sizeof(T); line += 64) {
    __builtin_prefetch(values + tile_values * sizeof(T) + line, 1);
  }
}

// The lanes that the fast path could not do: some are large, some no numbers at all.
template <class T>
void quantise_again(const std::byte* values, std::size_t block, const Grid<T>& grid,
                    Tile<T>& tile) {
  const std::size_t first = block * block_values;
  std::uint16_t mask = 0;
  for (std::size_t i = 0; i < tile.lanes(block); ++i) {
    const T value = load<T>(values + (first + i) * sizeof(T));
    tile.verbatim[first + i] = value;
    if (quantise_one(value, grid, tile.q[first + i])) continue;
    mask = static_cast<std::uint16_t>(mask | 1u << i);
  }
  tile.exceptions[block] = mask;
  tile.any_exceptions |= mask != 0;
}

// Of two neighbours that are the same, and that the grid does not hold, it is likely that there are
// more.
template <class T>
void note_likely_fill(std::size_t block, Tile<T>& tile) {
  using U = typename Lane<T>::Unsigned;
  const unsigned mask = tile.exceptions[block];
  for (unsigned pairs = mask & mask >> 1; pairs != 0; pairs &= pairs - 1) {
    const T* const two = tile.verbatim + block * block_values + std::countr_zero(pairs);
    if (std::bit_cast<U>(two[0]) != std::bit_cast<U>(two[1])) continue;
    tile.likely_fill = two[0];
    return;
  }
}

// The lanes of a whole block that the fast path could not do, most likely fill values.
template <class T>
void quantise_rest(const std::byte* values, std::size_t block, const Grid<T>& grid, Tile<T>& tile) {
  using U = typename Lane<T>::Unsigned;
  using B = Block<U>;
  const B here = B::load(values + block * block_values * sizeof(T));
  const std::uint32_t fill = B::equal(here, B::fill(std::bit_cast<U>(tile.likely_fill)));
  if ((tile.exceptions[block] & ~fill) != 0 || !grid.usable) {
    quantise_again(values, block, grid, tile);
    note_likely_fill(block, tile);
    return;
  }
  here.store(tile.verbatim + block * block_values);
  tile.any_exceptions = true;
}

// The whole blocks of a tile; any bits of them that need a closer look.
template <class T>
[[gnu::always_inline]] inline std::uint32_t quantise_blocks(const std::byte* values,
                                                            const Grid<T>& grid, Tile<T>& tile) {
  std::uint32_t any = 0;
  auto* const q = tile.q;
  for (std::size_t b = 0; b < tile.count / block_values; ++b) {
    const std::byte* in = values + b * block_values * sizeof(T);
    fetch_for_next_tile<T>(in);
    fetch_next_tile_to_write<T>(reinterpret_cast<std::byte*>(q + b * block_values));
    const std::uint32_t bad = quantise_block<T>(in, grid, q + b * block_values);
    tile.exceptions[b] = static_cast<std::uint16_t>(bad);
    any |= bad;
  }
  return any;
}

// What is the same for all blocks is a constant, or in registers: nothing that is stored can change
// it.
template <class T>
[[gnu::always_inline]] inline std::uint32_t quantise_blocks(bool wide, const std::byte* values,
                                                            const Grid<T>& grid, Tile<T>& tile) {
  Grid<T> local = grid;
  local.wide_encode = wide;
  if (grid.exact_below != 0) return quantise_blocks(values, local, tile);
  local.exact_below = 0;
  return quantise_blocks(values, local, tile);
}

// tile.q and tile.count have been set. Integers of exceptions are left to the predictor.
template <class T>
void quantise_tile(const std::byte* values, const Grid<T>& grid, Tile<T>& tile) {
  tile.any_exceptions = false;
  const std::size_t whole = tile.count / block_values;
  const std::uint32_t any = grid.wide_encode ? quantise_blocks(true, values, grid, tile)
                                             : quantise_blocks(false, values, grid, tile);
  if (whole < tile.blocks()) quantise_again(values, whole, grid, tile);
  if (any == 0 && grid.usable) return;
  for (std::size_t b = 0; b < whole; ++b) {
    if (tile.exceptions[b] != 0 || !grid.usable) quantise_rest(values, b, grid, tile);
  }
}

template <class T>
void patch_fill(const Tile<T>& tile, std::byte* values) {
  using U = typename Lane<T>::Unsigned;
  using B = Block<U>;
  const B fill = B::fill(std::bit_cast<U>(tile.fill));
  for (std::size_t b = 0; b < tile.blocks(); ++b) {
    if (tile.masked[b] == 0) continue;
    std::byte* const to = values + b * block_values * sizeof(T);
    if (tile.lanes(b) == block_values) {
      B::chosen(tile.masked[b], fill, B::load(to)).store(to);
    } else {
      for_each_exception(tile.masked[b],
                         [&](std::size_t i) { store(tile.fill, to + i * sizeof(T)); });
    }
  }
}

// Puts the exceptions where their blocks have other values.
template <class T>
void patch_exceptions(const Tile<T>& tile, std::byte* values) {
  if (!tile.any_exceptions) return;
  if (tile.any_masked) patch_fill(tile, values);
  for (std::size_t b = 0; b < tile.blocks(); ++b) {
    std::byte* to = values + b * block_values * sizeof(T);
    const T* from = tile.verbatim + b * block_values;
    if (tile.exceptions[b] == tile.all_lanes(b)) {
      std::memcpy(to, from, tile.lanes(b) * sizeof(T));
      continue;
    }
    for_each_exception(tile.exceptions[b],
                       [&](std::size_t i) { store(from[i], to + i * sizeof(T)); });
  }
}

template <class T>
void dequantise_tile(const Tile<T>& tile, const Grid<T>& grid, std::byte* values) {
  using U = typename Lane<T>::Unsigned;
  const std::size_t whole = tile.count / block_values;
  for (std::size_t b = 0; b < whole; ++b) {
    dequantise_block<T>(Block<U>::load(tile.q + b * block_values), grid,
                        values + b * block_values * sizeof(T));
  }
  for (std::size_t i = whole * block_values; i < tile.count; ++i) {
    store(dequantise_one(tile.q[i], grid), values + i * sizeof(T));
  }
  patch_exceptions(tile, values);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
