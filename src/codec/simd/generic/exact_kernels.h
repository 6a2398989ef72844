// The tiles of `exact`: integers of a transform, without a grid.
#pragma once

#include "codec/simd/generic/bounded_kernels.h"
#include "codec/simd/generic/coded/coded_bounded.h"
#include "codec/simd/generic/coded/coded_kernels.h"
#include "codec/simd/generic/history/left_out.h"

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

// A sixteenth part of what is sampled: 16 blocks, spread over the values, under each predictor.
template <class Change>
class Sample {
 public:
  using V = typename Change::V;
  using U = typename Change::U;
  using Int = std::make_signed_t<U>;

  Sample(const exact::Header& header, const Change& change, Source& source)
      : change_(change),
        source_(source),
        components_(header.components),
        apart_(header.rows.apart()) {}

  // Where place(b) is.
  template <class Place>
  void take(std::size_t first, Place place) {
    for (std::size_t b = 0; b < blocks; ++b) add(b, place(first + b));
    for (std::size_t p = 0; p < used(); ++p) {
      std::uint8_t widths[blocks];
      block_widths(residuals_[p], blocks, widths);
      for (std::size_t b = 0; b < blocks; ++b) {
        bits_[component_of(place(first + b))][p] += widths[b];
      }
    }
    taken_ += blocks;
  }

  // Bits per value with the best predictor of each component, the blocks' codes included.
  double bits() const {
    std::size_t bits = 0;
    for (std::size_t k = 0; k < components_; ++k) {
      std::size_t least = std::min(std::min(bits_[k][0], bits_[k][1]), bits_[k][2]);
      if (apart_.row != 0) least = std::min(least, bits_[k][3]);
      if (apart_.plane != 0) least = std::min({least, bits_[k][4], bits_[k][5]});
      bits += least;
    }
    return static_cast<double>(bits) / static_cast<double>(taken_) + 0.25;
  }

  static constexpr std::size_t blocks = 16;
  static constexpr std::size_t predictors = 6;  // Predictor::row stands for those with more rows

 private:
  [[nodiscard]] std::size_t used() const { return apart_.plane != 0 ? predictors : 4; }
  [[nodiscard]] std::size_t component_of(std::size_t at) const {
    return components_ == 1 ? 0 : at % components_;
  }

  // Values around `first`, above and behind it, at distances that stand for those of the message.
  void add(std::size_t block, std::size_t first) {
    constexpr Distances near{32, 64};
    constexpr std::size_t here = 128;
    Int q[here + block_values] = {};
    fetch(first, q + here);
    const std::size_t row = apart_.row * components_;
    const std::size_t plane = apart_.plane * components_;
    fetch_before(first, row, q + here - near.row);
    fetch_before(first, plane, q + here - near.plane);
    if (plane != 0) fetch_before(first, plane + row, q + here - near.plane - near.row);
    const Int* at = q + here;
    const std::size_t to = block * block_values;
    Residuals<Predictor::none, Int>(at, near).next(at).store(residuals_[0] + to);
    Residuals<Predictor::previous, Int>(at, near).next(at).store(residuals_[1] + to);
    Residuals<Predictor::second, Int>(at, near).next(at).store(residuals_[2] + to);
    Residuals<Predictor::row, Int>(at, near).next(at).store(residuals_[3] + to);
    if (plane == 0) return;
    Residuals<Predictor::plane, Int>(at, near).next(at).store(residuals_[4] + to);
    Residuals<Predictor::cube, Int>(at, near).next(at).store(residuals_[5] + to);
  }

  // What is so far before; 0 before the message, or without rows or planes.
  void fetch_before(std::size_t first, std::size_t distance, Int* q) {
    if (distance != 0 && first > distance + 2 * components_) fetch(first - distance, q);
  }

  // 16 values of a component and the two before them.
  void fetch(std::size_t first, Int* q) {
    const std::size_t before = first >= 2 * components_ ? 2 : first >= components_ ? 1 : 0;
    const std::byte* from =
        source_.at(first - before * components_, (block_values + before) * components_);
    V apart[block_values + 2];
    if (components_ != 1) {
      const std::size_t step = components_ * sizeof(V);
      for (std::size_t i = 0; i < block_values + before; ++i) apart[i] = load<V>(from + i * step);
      from = reinterpret_cast<const std::byte*>(apart);
    }
    // What does not fit costs ratio here, too.
    static_cast<void>(change_.load(from, block_values + before, reinterpret_cast<U*>(q - before)));
  }

  const Change& change_;
  Source& source_;
  std::size_t components_;
  Distances apart_;
  std::size_t taken_ = 0;
  std::size_t bits_[bounded::most_components][predictors] = {};
  alignas(64) U residuals_[predictors][blocks * block_values];
};

// Fractions of the golden ratio: in step with no row and no plane.
inline std::size_t spread_place(std::size_t block, std::size_t room) {
  const std::uint64_t turn = (block + 1) * 0x9e3779b97f4a7c15u;
  return static_cast<std::size_t>((turn >> 40) * room >> 24);
}

template <class Change>
double exact_promise_of(const exact::Header& header, const Change& change, Source& source) {
  constexpr std::size_t value_size = sizeof(typename Change::V);
  const std::size_t count = header.count;
  // More where orders of prediction in time are compared, which are much alike.
  const std::size_t samples = source.in_time() ? std::clamp<std::size_t>(count / (1 << 15), 2, 16)
                                               : std::clamp<std::size_t>(count / (1 << 18), 1, 16);
  const std::size_t blocks = samples * Sample<Change>::blocks;
  const std::size_t room = count - block_values * header.components;
  const auto place = [&](std::size_t block) {
    return source.in_time() ? spread_place(block, room) : block * (room / blocks);
  };
  Sample<Change> sample(header, change, source);
  for (std::size_t b = 0; b < blocks; b += Sample<Change>::blocks) sample.take(b, place);
  return value_size * 8 / sample.bits();
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
          coded_decode,
          bounded_coded_encode,
          bounded_coded_decode};
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
