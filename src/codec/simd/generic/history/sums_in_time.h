// Sums on a grid that are predicted from earlier ones: loops over tiles.
#pragma once

#include "codec/simd/generic/history/bounded_in_time.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class T>
Result leave_of_sums(const Header& header, std::span<const std::byte> encoded,
                     References references, std::span<std::byte> left_out,
                     std::span<std::byte> body) {
  GridPrediction<T> in_time(grid_of<T>(header), references);
  TileReader<T> reader(header.rows, encoded);
  TileWriter<T> writer({}, body);
  Tile<T> tile;
  const Error error = for_each_tile(header.count, [&](std::size_t first, std::size_t count) {
    if (!reader.read(count, tile)) return Error::damaged;
    tile.unmask();
    const auto* const read = std::exchange(tile.q, writer.next());
    std::copy_n(read, count, tile.q);
    in_time.subtract(first, tile, left_out);
    return writer.write(tile) ? Error::none : Error::output_too_small;
  });
  if (error == Error::none && !reader.at_end()) return {Error::damaged, 0};
  return finish(error, writer);
}

// What arrives of them, read as a TileReader reads what is whole; `arrived` becomes what they
// decode to.
template <class T>
class ArrivingSums {
 public:
  using Int = typename Lane<T>::Int;
  using U = typename Lane<T>::Unsigned;

  ArrivingSums(const Grid<T>& grid, const InTime& from, std::span<const std::byte> body,
               std::span<std::byte> arrived)
      : grid_(grid), in_time_(grid, from), reader_({}, body), arrived_(arrived.data()) {}

  bool read(std::size_t count, Tile<T>& tile) {
    if (!reader_.read(count, tile)) return false;
    tile.unmask();
    if (const Int* const said = in_time_.integers(first_, count)) {
      for (std::size_t i = 0; i < count; ++i) {
        q_[i] = static_cast<Int>(static_cast<U>(tile.q[i]) + static_cast<U>(said[i]));
      }
    } else {
      std::copy_n(tile.q, count, q_);
    }
    tile.q = q_;
    dequantise_tile(tile, grid_, arrived_ + first_ * sizeof(T));
    first_ += count;
    return true;
  }
  template <class Use>
  bool read(std::size_t count, Tile<T>& tile, Use use) {
    if (!read(count, tile)) return false;
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      use(Block<U>::load(q_ + b * block_values), b);
    }
    return true;
  }
  // Nothing is known of the next tile.
  static bool zeros_next() { return false; }
  [[nodiscard]] bool at_end() const { return reader_.at_end(); }

 private:
  Grid<T> grid_;
  GridContinuation<T> in_time_;
  TileReader<T> reader_;
  std::byte* arrived_;
  std::size_t first_ = 0;
  alignas(64) Int q_[tile_values] = {};
};

inline Result bounded_leave_of_sums(const Header& header, std::span<const std::byte> encoded,
                                    References references, std::span<std::byte> left_out,
                                    std::span<std::byte> body) {
  return header.type == ElementType::float32
             ? leave_of_sums<float>(header, encoded, references, left_out, body)
             : leave_of_sums<double>(header, encoded, references, left_out, body);
}

inline Result bounded_combine_values_in_time(Operation operation, const Header& header,
                                             const InTime& in_time, std::span<const std::byte> body,
                                             std::span<const std::byte> values,
                                             std::span<std::byte> out,
                                             std::span<std::byte> arrived) {
  return with_float_type(header.type, [&](auto zero) {
    using T = decltype(zero);
    ArrivingSums<T> reader(grid_of<T>(header), in_time, body, arrived);
    return combine_to_encoding<T>(operation, reader, values, header, out);
  });
}

inline Result bounded_complete_values_in_time(Operation operation, const Header& header,
                                              const InTime& in_time,
                                              std::span<const std::byte> body,
                                              std::span<const std::byte> values,
                                              std::span<std::byte> out, std::span<std::byte> result,
                                              std::span<std::byte> arrived) {
  return with_float_type(header.type, [&](auto zero) {
    using T = decltype(zero);
    ArrivingSums<T> reader(grid_of<T>(header), in_time, body, arrived);
    return complete_values_of<T>(operation, reader, values, header, out, result);
  });
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
