// Whole encodings: loops over tiles. Included once per instruction set, TIGHTWIRE_ISA.
#pragma once

#include "codec/simd/generic/combine_tile.h"
#include "codec/simd/generic/components/turns.h"
#include "codec/simd/generic/looks/survey.h"
#include "codec/simd/generic/looks/unseen.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

using bounded::grid_of;
using bounded::grid_to_encode;
using bounded::Header;

// Calls step(first value, number of values) for each tile until one returns other than Error::none.
template <class Step>
Error for_each_tile(std::uint64_t count, Step step) {
  for (std::uint64_t first = 0; first < count; first += tile_values) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(tile_values, count - first));
    if (const Error error = step(static_cast<std::size_t>(first), size); error != Error::none) {
      return error;
    }
  }
  return Error::none;
}

template <class T>
Result finish(Error error, TileWriter<T>& writer) {
  if (error == Error::none && !writer.ok()) error = Error::output_too_small;
  return {error, error == Error::none ? writer.size() : 0};
}

template <class T>
Result encode_values(const Header& header, std::span<const std::byte> values,
                     std::span<std::byte> body) {
  const Grid<T> grid = grid_to_encode<T>(header);
  const PlaneMemory<typename Lane<T>::Int> planes(header.rows);
  if (!planes.ok()) return {Error::out_of_memory, 0};
  TileWriter<T> writer(header.rows, body, planes.get());
  Tile<T> tile;
  const Error error = for_each_tile(header.count, [&](std::size_t first, std::size_t count) {
    tile.q = writer.next();
    tile.count = count;
    quantise_tile(values.data() + first * sizeof(T), grid, tile);
    return writer.write(tile) ? Error::none : Error::output_too_small;
  });
  return finish(error, writer);
}

// False: damaged.
template <class T>
[[gnu::always_inline]] inline bool decode_tile(TileReader<T>& reader, std::size_t count,
                                               const Grid<T>& grid, Tile<T>& tile, std::byte* out) {
  const bool whole = count == tile_values;
  const auto put = [ out, grid ](auto q, std::size_t block) __attribute__((always_inline)) {
    std::byte* const to = out + block * block_values * sizeof(T);
    fetch_next_tile_to_write<T>(to);
    dequantise_block<T>(q, grid, to);
  };
  const bool read = whole ? reader.read(count, tile, put) : reader.read(count, tile);
  if (!read) return false;
  if (whole) {
    patch_exceptions(tile, out);
  } else {
    dequantise_tile(tile, grid, out);
  }
  return true;
}

template <class T>
Result decode_values(const Header& header, std::span<const std::byte> body,
                     std::span<std::byte> values) {
  const Grid<T> grid = grid_of<T>(header);
  const PlaneMemory<typename Lane<T>::Int> planes(header.rows);
  if (!planes.ok()) return {Error::out_of_memory, 0};
  TileReader<T> reader(header.rows, body, planes.get());
  Tile<T> tile;
  const Error error = for_each_tile(header.count, [&](std::size_t first, std::size_t count) {
    std::byte* const out = values.data() + first * sizeof(T);
    return decode_tile(reader, count, grid, tile, out) ? Error::none : Error::damaged;
  });
  if (error != Error::none || !reader.at_end()) return {Error::damaged, 0};
  return {Error::none, values.size()};
}

template <class T>
Result encode_components(const Header& header, std::span<const std::byte> values,
                         std::span<std::byte> body) {
  const Grid<T> grid = grid_to_encode<T>(header);
  return write_components<T, T>(header, values, body, [&](const std::byte* in, Tile<T>& tile) {
    quantise_tile(in, grid, tile);
    return true;
  });
}

template <class T>
Result decode_components(const Header& header, std::span<const std::byte> body,
                         std::span<std::byte> values) {
  const Grid<T> grid = grid_of<T>(header);
  return read_components<T, T>(
      header, body, values,
      [&](TileReader<T>& reader, std::size_t count, Tile<T>& tile, std::byte* out) {
        return decode_tile(reader, count, grid, tile, out);
      });
}

template <class T>
Result encode_any(const Header& header, std::span<const std::byte> values,
                  std::span<std::byte> body) {
  return header.components == 1 ? encode_values<T>(header, values, body)
                                : encode_components<T>(header, values, body);
}
template <class T>
Result decode_any(const Header& header, std::span<const std::byte> body,
                  std::span<std::byte> values) {
  return header.components == 1 ? decode_values<T>(header, body, values)
                                : decode_components<T>(header, body, values);
}

template <class T>
Result combine_encodings(Operation operation, const Header& a_header, std::span<const std::byte> a,
                         const Header& b_header, std::span<const std::byte> b,
                         const Header& out_header, std::span<std::byte> out) {
  const Grid<T> grid = grid_of<T>(out_header);
  TileReader<T> reader_a(a_header.rows, a);
  TileReader<T> reader_b(b_header.rows, b);
  TileWriter<T> writer(out_header.rows, out);
  Tile<T> tile_a;
  Tile<T> tile_b;
  Tile<T> tile;
  const Error error = for_each_tile(out_header.count, [&](std::size_t, std::size_t count) {
    if (!reader_a.read(count, tile_a) || !reader_b.read(count, tile_b)) return Error::damaged;
    tile_a.unmask();
    tile_b.unmask();
    tile.q = writer.next();
    tile.count = count;
    combine_tiles(operation, tile_a, tile_b, grid, tile);
    return writer.write(tile) ? Error::none : Error::output_too_small;
  });
  if (error == Error::none && !(reader_a.at_end() && reader_b.at_end())) return {Error::damaged, 0};
  return finish(error, writer);
}

// Quantises and adds each block while the block that was read is in registers. What is no integer,
// or leaves the grid, leaves tile.any_exceptions behind and no more. False: damaged.
template <class T, class Reader>
bool add_as_read(Reader& reader, const std::byte* values, const Grid<T>& grid, Tile<T>& incoming,
                 Tile<T>& own, Tile<T>& tile) {
  using B = Block<typename Lane<T>::Unsigned>;
  std::uint32_t bad = 0;
  const bool read = reader.read(tile_values, incoming, [&](B integers, std::size_t block) {
    const std::size_t first = block * block_values;
    const std::byte* const in = values + first * sizeof(T);
    fetch_for_next_tile<T>(in);
    bad |= quantise_block<T>(in, grid, own.q + first);
    B sum;
    bad |= B::add(integers, B::load(own.q + first), grid.sum_limit, sum);
    sum.store(tile.q + first);
  });
  tile.any_exceptions = bad != 0 || incoming.any_exceptions;
  if (!tile.any_exceptions) std::fill_n(tile.exceptions, tile_blocks, std::uint16_t{0});
  return read;
}

// Calls put(first value, tile) for each tile of the result; tile.q is where next() says.
template <class T, class Reader, class Next, class Put>
Error combine_read_and_values(Operation operation, Reader& reader, std::uint64_t all,
                              std::span<const std::byte> values, const Grid<T>& grid, Next next,
                              Put put) {
  Tile<T> tile_a;
  Tile<T> own;
  Tile<T> tile;
  alignas(64) typename Lane<T>::Int own_q[tile_values];
  own.q = own_q;
  const bool adds_blocks = operation == Operation::sum && grid.usable;
  const Error error = for_each_tile(all, [&](std::size_t first, std::size_t count) {
    const std::byte* const in = values.data() + first * sizeof(T);
    tile.q = next();
    tile.count = count;
    own.count = count;
    if (adds_blocks && reader.zeros_next()) {
      if (!reader.read(count, tile_a)) return Error::damaged;
      quantise_tile(in, grid, tile);
      // An exception plus zero may be another value: that of negative zero is.
      if (!tile.any_exceptions) return put(first, tile);
    } else if (adds_blocks && count == tile_values) {
      if (!add_as_read(reader, in, grid, tile_a, own, tile)) return Error::damaged;
      if (!tile.any_exceptions) return put(first, tile);
    } else if (!reader.read(count, tile_a)) {
      return Error::damaged;
    }
    tile_a.unmask();
    quantise_tile(in, grid, own);
    combine_tiles(operation, tile_a, own, grid, tile);
    return put(first, tile);
  });
  return error == Error::none && !reader.at_end() ? Error::damaged : error;
}

template <class T, class Reader>
Result combine_to_encoding(Operation operation, Reader& reader, std::span<const std::byte> values,
                           const Header& out_header, std::span<std::byte> out) {
  TileWriter<T> writer(out_header.rows, out);
  const Error error = combine_read_and_values<T>(
      operation, reader, out_header.count, values, grid_of<T>(out_header),
      [&] { return writer.next(); },
      [&](std::size_t, Tile<T>& tile) {
        return writer.write(tile) ? Error::none : Error::output_too_small;
      });
  return finish(error, writer);
}

// `result` may be the memory of `values`: what a tile is made of has been read when it is put.
template <class T, class Reader>
Result combine_to_both(Operation operation, Reader& reader, std::span<const std::byte> values,
                       const Header& out_header, std::span<std::byte> out,
                       std::span<std::byte> result) {
  const Grid<T> grid = grid_of<T>(out_header);
  TileWriter<T> writer(out_header.rows, out);
  const Error error = combine_read_and_values<T>(
      operation, reader, out_header.count, values, grid, [&] { return writer.next(); },
      [&](std::size_t first, Tile<T>& tile) {
        dequantise_tile(tile, grid, result.data() + first * sizeof(T));
        return writer.write(tile) ? Error::none : Error::output_too_small;
      });
  return finish(error, writer);
}

template <class T, class Reader>
Result combine_to_values(Operation operation, Reader& reader, std::span<const std::byte> values,
                         const Header& out_header, std::span<std::byte> result) {
  const Grid<T> grid = grid_of<T>(out_header);
  alignas(64) typename Lane<T>::Int q[tile_values];
  const Error error = combine_read_and_values<T>(
      operation, reader, out_header.count, values, grid, [&] { return q; },
      [&](std::size_t first, Tile<T>& tile) {
        dequantise_tile(tile, grid, result.data() + first * sizeof(T));
        return Error::none;
      });
  return {error, 0};
}

template <class T, class Reader>
Result complete_values_of(Operation operation, Reader& reader, std::span<const std::byte> values,
                          const Header& out_header, std::span<std::byte> out,
                          std::span<std::byte> result) {
  return out.empty() ? combine_to_values<T>(operation, reader, values, out_header, result)
                     : combine_to_both<T>(operation, reader, values, out_header, out, result);
}

inline Result bounded_encode(const Header& header, std::span<const std::byte> values,
                             std::span<std::byte> body) {
  return header.type == ElementType::float32 ? encode_any<float>(header, values, body)
                                             : encode_any<double>(header, values, body);
}

inline Result bounded_decode(const Header& header, std::span<const std::byte> body,
                             std::span<std::byte> values) {
  return header.type == ElementType::float32 ? decode_any<float>(header, body, values)
                                             : decode_any<double>(header, body, values);
}

inline Result bounded_combine(Operation operation, const Header& a_header,
                              std::span<const std::byte> a, const Header& b_header,
                              std::span<const std::byte> b, const Header& out_header,
                              std::span<std::byte> out) {
  return out_header.type == ElementType::float32
             ? combine_encodings<float>(operation, a_header, a, b_header, b, out_header, out)
             : combine_encodings<double>(operation, a_header, a, b_header, b, out_header, out);
}

template <class Run>  // is given a zero of the type
Result with_float_type(ElementType type, Run run) {
  return type == ElementType::float32 ? run(0.0F) : run(0.0);
}

inline Result bounded_combine_values(Operation operation, const Header& a_header,
                                     std::span<const std::byte> a,
                                     std::span<const std::byte> values, const Header& out_header,
                                     std::span<std::byte> out) {
  return with_float_type(out_header.type, [&](auto zero) {
    using T = decltype(zero);
    TileReader<T> reader(a_header.rows, a);
    return combine_to_encoding<T>(operation, reader, values, out_header, out);
  });
}

inline Result bounded_complete_values(Operation operation, const Header& a_header,
                                      std::span<const std::byte> a,
                                      std::span<const std::byte> values, const Header& out_header,
                                      std::span<std::byte> out, std::span<std::byte> result) {
  return with_float_type(out_header.type, [&](auto zero) {
    using T = decltype(zero);
    TileReader<T> reader(a_header.rows, a);
    return complete_values_of<T>(operation, reader, values, out_header, out, result);
  });
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
