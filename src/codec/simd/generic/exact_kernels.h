// The tiles of `exact`: integers of a transform, without a grid.
#pragma once

#include "codec/simd/generic/bounded_kernels.h"
#include "codec/simd/generic/coded/coded_bounded.h"
#include "codec/simd/generic/coded/coded_kernels.h"
#include "codec/simd/generic/exact/promise.h"
#include "codec/simd/generic/history/left_out.h"
#include "codec/simd/generic/history/sums_in_time.h"
#include "codec/simd/generic/looks/extent.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Integers are predicted in lanes of their size, as if they were floats' or doubles'.
template <class Change>
using LaneOf = std::conditional_t<sizeof(typename Change::U) == 4, float, double>;

// Values are moved as their bits.
template <class Change>
using BitsOfValue = IntegerOf<typename Change::V>;

template <class V, class B>
void store_block(B q, std::byte* values) {
  if constexpr (std::is_floating_point_v<V>) {
    q.ordered().store(values);
  } else if constexpr (sizeof(V) * block_values == sizeof(B)) {
    q.store(values);
  } else {
    std::int32_t lanes[block_values];
    q.store(lanes);
    for (std::size_t i = 0; i < block_values; ++i) {
      store(static_cast<V>(lanes[i]), values + i * sizeof(V));
    }
  }
}

// Of ordered values: each block goes where it belongs as soon as it is read. False: damaged.
template <class V>
[[gnu::always_inline]] inline bool decode_ordered_tile(TileReader<LaneOf<Ordered<V>>>& reader,
                                                       std::size_t count,
                                                       Tile<LaneOf<Ordered<V>>>& tile,
                                                       std::byte* out) {
  if (count == tile_values) {
    const auto put = [&](auto q, std::size_t block) __attribute__((always_inline)) {
      std::byte* const to = out + block * block_values * sizeof(V);
      fetch_next_tile_to_write<V>(to);
      store_block<V>(q, to);
    };
    return reader.read(count, tile, put) && !tile.any_exceptions;
  }
  if (!reader.read(count, tile) || tile.any_exceptions) return false;
  Ordered<V>().store(reinterpret_cast<const typename Ordered<V>::U*>(tile.q), count, out);
  return true;
}

template <class V>
Result decode_ordered(const exact::Header& header, std::span<const std::byte> body,
                      const Target& target) {
  using T = LaneOf<Ordered<V>>;
  const PlaneMemory<typename Lane<T>::Int> planes(header.rows);
  if (!planes.ok()) return {Error::out_of_memory, 0};
  TileReader<T> reader(header.rows, body, planes.get());
  Tile<T> tile;
  const Error error = for_each_tile(header.count, [&](std::size_t first, std::size_t count) {
    std::byte* const out = target.values().data() + first * sizeof(V);
    if (!decode_ordered_tile<V>(reader, count, tile, out)) return Error::damaged;
    target.finish(first, count);
    return Error::none;
  });
  if (error != Error::none || !reader.at_end()) return {Error::damaged, 0};
  return {Error::none, target.values().size()};
}

// Error::bad_parameter: a value does not fit.
template <class Change>
Result encode_transformed(const exact::Header& header, const Change& change, Source& source,
                          std::span<std::byte> body) {
  const PlaneMemory<typename Lane<LaneOf<Change>>::Int> planes(header.rows);
  if (!planes.ok()) return {Error::out_of_memory, 0};
  TileWriter<LaneOf<Change>> writer(header.rows, body, planes.get());
  Tile<LaneOf<Change>> tile;
  tile.any_exceptions = false;
  const Error error = for_each_tile(header.count, [&](std::size_t first, std::size_t count) {
    tile.q = writer.next();
    tile.count = count;
    const bool fit =
        change.load(source.at(first, count), count, reinterpret_cast<typename Change::U*>(tile.q));
    if (!fit) return Error::bad_parameter;
    return writer.write(tile) ? Error::none : Error::output_too_small;
  });
  return finish(error, writer);
}

template <class Change>
Result decode_transformed(const exact::Header& header, const Change& change,
                          std::span<const std::byte> body, const Target& target) {
  const PlaneMemory<typename Lane<LaneOf<Change>>::Int> planes(header.rows);
  if (!planes.ok()) return {Error::out_of_memory, 0};
  TileReader<LaneOf<Change>> reader(header.rows, body, planes.get());
  Tile<LaneOf<Change>> tile;
  const Error error = for_each_tile(header.count, [&](std::size_t first, std::size_t count) {
    if (!reader.read(count, tile) || tile.any_exceptions) return Error::damaged;
    change.store(reinterpret_cast<const typename Change::U*>(tile.q), count,
                 target.values().data() + first * sizeof(typename Change::V));
    target.finish(first, count);
    return Error::none;
  });
  if (error != Error::none || !reader.at_end()) return {Error::damaged, 0};
  return {Error::none, target.values().size()};
}

// The same with components.
template <class Change>
Result encode_transformed_components(const exact::Header& header, const Change& change,
                                     Source& source, std::span<std::byte> body) {
  using T = LaneOf<Change>;
  using V = BitsOfValue<Change>;
  const auto take = [&](std::size_t first, std::size_t size, V* streams) {
    take_apart(source, first, size, header.components, streams);
  };
  const auto load = [&](const std::byte* in, Tile<T>& tile) {
    return change.load(in, tile.count, reinterpret_cast<typename Change::U*>(tile.q));
  };
  return write_components<T, V>(header, source.values(), body, take, load);
}

template <class Change>
Result decode_transformed_components(const exact::Header& header, const Change& change,
                                     std::span<const std::byte> body, const Target& target) {
  using T = LaneOf<Change>;
  const auto read = [&](TileReader<T>& reader, std::size_t count, Tile<T>& tile, std::byte* out) {
    if (!reader.read(count, tile) || tile.any_exceptions) return false;
    change.store(reinterpret_cast<const typename Change::U*>(tile.q), count, out);
    return true;
  };
  const auto finish = [&](std::size_t first, std::size_t size) { target.finish(first, size); };
  return read_components<T, BitsOfValue<Change>>(header, body, target.values(), read, finish);
}

inline Result exact_encode(const exact::Header& header, const exact::Transform& transform,
                           std::span<const std::byte> values, std::span<std::byte> body) {
  Source source(header.type, transform, values);
  return with_change(header, transform, [&](const auto& change) {
    return header.components == 1 ? encode_transformed(header, change, source, body)
                                  : encode_transformed_components(header, change, source, body);
  });
}

inline Result exact_decode(const exact::Header& header, const exact::Transform& transform,
                           std::span<const std::byte> body, std::span<std::byte> values) {
  const Target target(header.type, transform, values);
  return with_change(header, transform, [&](const auto& change) {
    using Change = std::decay_t<decltype(change)>;
    if constexpr (std::is_same_v<Change, Ordered<typename Change::V>>) {
      if (header.components == 1) return decode_ordered<typename Change::V>(header, body, target);
    }
    return header.components == 1 ? decode_transformed(header, change, body, target)
                                  : decode_transformed_components(header, change, body, target);
  });
}

inline double exact_promise(const exact::Header& header, const exact::Transform& transform,
                            std::span<const std::byte> values) {
  Source source(header.type, transform, values);
  return with_change(header, transform,
                     [&](const auto& change) { return exact_promise_of(header, change, source); });
}

// All kernels of this instruction set.
constexpr Kernels kernels_named(std::string_view name, bool (*runs)()) {
  return {name,
          runs,
          survey,
          finite_extent,
          find_unseen,
          bounded_encode,
          bounded_decode,
          bounded_combine,
          bounded_combine_values,
          bounded_complete_values,
          exact_encode,
          exact_decode,
          exact_promise,
          mark_left_out,
          coded_encode,
          coded_estimate,
          coded_decode,
          bounded_coded_encode,
          bounded_coded_decode,
          bounded_encode_in_time,
          bounded_decode_in_time,
          bounded_coded_encode_in_time,
          bounded_coded_decode_in_time,
          bounded_leave_of_sums,
          bounded_combine_values_in_time,
          bounded_complete_values_in_time};
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
