// Whole encodings on a grid in time: loops over tiles.
#pragma once

#include "codec/simd/generic/bounded_kernels.h"
#include "codec/simd/generic/history/grid_prediction.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

using bounded::InTime;

template <class T>
Result encode_values_in_time(const Header& header, References references,
                             std::span<std::byte> left_out, std::span<const std::byte> values,
                             std::span<std::byte> body) {
  const Grid<T> grid = grid_to_encode<T>(header);
  GridPrediction<T> in_time(grid_of<T>(header), references);
  TileWriter<T> writer(header.rows, body);
  Tile<T> tile;
  const Error error = for_each_tile(header.count, [&](std::size_t first, std::size_t count) {
    tile.q = writer.next();
    tile.count = count;
    quantise_tile(values.data() + first * sizeof(T), grid, tile);
    in_time.subtract(first, tile, left_out);
    return writer.write(tile) ? Error::none : Error::output_too_small;
  });
  return finish(error, writer);
}

// Adds what is predicted; the tile's own integers, which the next ones are predicted from, stay.
template <class T>
void dequantise_in_time(Tile<T>& tile, const typename Lane<T>::Int* said, const Grid<T>& grid,
                        std::byte* out) {
  using U = typename Lane<T>::Unsigned;
  if (said == nullptr) return dequantise_tile(tile, grid, out);
  alignas(64) typename Lane<T>::Int q[tile_values];
  for (std::size_t i = 0; i < tile.count; ++i) {
    q[i] = static_cast<typename Lane<T>::Int>(static_cast<U>(tile.q[i]) + static_cast<U>(said[i]));
  }
  auto* const own = std::exchange(tile.q, q);
  dequantise_tile(tile, grid, out);
  tile.q = own;
}

// False: damaged.
template <class T>
bool decode_tile_in_time(TileReader<T>& reader, std::size_t count, const Grid<T>& grid,
                         const typename Lane<T>::Int* said, Tile<T>& tile, std::byte* out) {
  if (said == nullptr) return decode_tile(reader, count, grid, tile, out);
  if (count != tile_values) {
    if (!reader.read(count, tile)) return false;
    dequantise_in_time(tile, said, grid, out);
    return true;
  }
  const auto put = [ out, grid, said ](auto q, std::size_t block) __attribute__((always_inline)) {
    using B = decltype(q);
    std::byte* const to = out + block * block_values * sizeof(T);
    fetch_next_tile_to_write<T>(to);
    dequantise_block<T>(q + B::load(said + block * block_values), grid, to);
  };
  if (!reader.read(count, tile, put)) return false;
  patch_exceptions(tile, out);
  return true;
}

template <class T>
Result decode_values_in_time(const Header& header, const InTime& from,
                             std::span<const std::byte> body, std::span<std::byte> values) {
  const Grid<T> grid = grid_of<T>(header);
  GridContinuation<T> in_time(grid, from);
  TileReader<T> reader(header.rows, body);
  Tile<T> tile;
  const Error error = for_each_tile(header.count, [&](std::size_t first, std::size_t count) {
    std::byte* const out = values.data() + first * sizeof(T);
    const auto* const said = in_time.integers(first, count);
    return decode_tile_in_time(reader, count, grid, said, tile, out) ? Error::none : Error::damaged;
  });
  if (error != Error::none || !reader.at_end()) return {Error::damaged, 0};
  return {Error::none, values.size()};
}

inline Result bounded_encode_in_time(const Header& header, References references,
                                     std::span<std::byte> left_out,
                                     std::span<const std::byte> values, std::span<std::byte> body) {
  return header.type == ElementType::float32
             ? encode_values_in_time<float>(header, references, left_out, values, body)
             : encode_values_in_time<double>(header, references, left_out, values, body);
}

inline Result bounded_decode_in_time(const Header& header, const InTime& in_time,
                                     std::span<const std::byte> body, std::span<std::byte> values) {
  return header.type == ElementType::float32
             ? decode_values_in_time<float>(header, in_time, body, values)
             : decode_values_in_time<double>(header, in_time, body, values);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
