// The tiles of `exact`: integers of a transform, without a grid.
#pragma once

#include "codec/simd/generic/bounded_kernels.h"
#include "codec/simd/generic/coded/coded_bounded.h"
#include "codec/simd/generic/coded/coded_kernels.h"
#include "codec/simd/generic/with_type.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Integers are predicted in lanes of their size, as if they were floats' or doubles'.
template <class Change>
using LaneOf = std::conditional_t<sizeof(typename Change::U) == 4, float, double>;

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

// Of ordered values: each block goes where it belongs as soon as it is read.
template <class V>
Result decode_ordered(const exact::Header& header, std::span<const std::byte> body,
                      std::span<std::byte> values) {
  using T = LaneOf<Ordered<V>>;
  TileReader<T> reader(header.rows, body);
  Tile<T> tile;
  const Error error = for_each_tile(header.count, [&](std::size_t first, std::size_t count) {
    std::byte* const out = values.data() + first * sizeof(V);
    if (count == tile_values) {
      const auto put = [&](auto q, std::size_t block) __attribute__((always_inline)) {
        std::byte* const to = out + block * block_values * sizeof(V);
        fetch_next_tile_to_write<V>(to);
        store_block<V>(q, to);
      };
      if (!reader.read(count, tile, put) || tile.any_exceptions) return Error::damaged;
      return Error::none;
    }
    if (!reader.read(count, tile) || tile.any_exceptions) return Error::damaged;
    Ordered<V>().store(reinterpret_cast<const typename Ordered<V>::U*>(tile.q), count, out);
    return Error::none;
  });
  if (error != Error::none || !reader.at_end()) return {Error::damaged, 0};
  return {Error::none, values.size()};
}

// Error::bad_parameter: a value does not fit.
template <class Change>
Result encode_transformed(const exact::Header& header, const Change& change,
                          std::span<const std::byte> values, std::span<std::byte> body) {
  TileWriter<LaneOf<Change>> writer(header.rows, body);
  Tile<LaneOf<Change>> tile;
  tile.any_exceptions = false;
  const Error error = for_each_tile(header.count, [&](std::size_t first, std::size_t count) {
    tile.q = writer.next();
    tile.count = count;
    const std::byte* const in = values.data() + first * sizeof(typename Change::V);
    const bool fit = change.load(in, count, reinterpret_cast<typename Change::U*>(tile.q));
    if (!fit) return Error::bad_parameter;
    return writer.write(tile) ? Error::none : Error::output_too_small;
  });
  return finish(error, writer);
}

template <class Change>
Result decode_transformed(const exact::Header& header, const Change& change,
                          std::span<const std::byte> body, std::span<std::byte> values) {
  TileReader<LaneOf<Change>> reader(header.rows, body);
  Tile<LaneOf<Change>> tile;
  const Error error = for_each_tile(header.count, [&](std::size_t first, std::size_t count) {
    if (!reader.read(count, tile) || tile.any_exceptions) return Error::damaged;
    change.store(reinterpret_cast<const typename Change::U*>(tile.q), count,
                 values.data() + first * sizeof(typename Change::V));
    return Error::none;
  });
  if (error != Error::none || !reader.at_end()) return {Error::damaged, 0};
  return {Error::none, values.size()};
}

// A sixteenth part of what is sampled: 16 blocks, spread over the values, under each predictor.
template <class Change>
class Sample {
 public:
  using V = typename Change::V;
  using U = typename Change::U;
  using Int = std::make_signed_t<U>;

  Sample(const exact::Header& header, const Change& change, std::span<const std::byte> values)
      : change_(change), values_(values), row_length_(header.rows.length) {}

  void take(std::size_t first, std::size_t stride) {
    for (std::size_t b = 0; b < blocks; ++b) add(b, first + b * stride);
    for (std::size_t p = 0; p < predictors; ++p) {
      std::uint8_t widths[blocks];
      block_widths(residuals_[p], blocks, widths);
      for (const std::uint8_t width : widths) bits_[p] += width;
    }
    taken_ += blocks;
  }

  // Bits per value of the best predictor, the blocks' codes included.
  double bits() const {
    std::size_t least = std::min(std::min(bits_[0], bits_[1]), bits_[2]);
    if (row_length_ != 0) least = std::min(least, bits_[3]);
    return static_cast<double>(least) / static_cast<double>(taken_) + 0.25;
  }

  static constexpr std::size_t blocks = 16;
  static constexpr std::size_t predictors = 4;  // Predictor::row stands for those with more rows

 private:
  // Values around `first` and above it, at a distance that stands for the row's.
  void add(std::size_t block, std::size_t first) {
    constexpr std::size_t here = 64;
    constexpr std::size_t above = 32;
    Int q[here + block_values] = {};
    fetch(first, q + here);
    if (row_length_ != 0 && first > row_length_ + 2) fetch(first - row_length_, q + here - above);
    const Int* at = q + here;
    const std::size_t to = block * block_values;
    Residuals<Predictor::none, Int>(at, above).next(at).store(residuals_[0] + to);
    Residuals<Predictor::previous, Int>(at, above).next(at).store(residuals_[1] + to);
    Residuals<Predictor::second, Int>(at, above).next(at).store(residuals_[2] + to);
    Residuals<Predictor::row, Int>(at, above).next(at).store(residuals_[3] + to);
  }

  // 16 values and the two before them.
  void fetch(std::size_t first, Int* q) {
    const std::size_t before = std::min<std::size_t>(first, 2);
    // What does not fit costs ratio here, too.
    static_cast<void>(change_.load(values_.data() + (first - before) * sizeof(V),
                                   block_values + before, reinterpret_cast<U*>(q - before)));
  }

  const Change& change_;
  std::span<const std::byte> values_;
  std::size_t row_length_;
  std::size_t taken_ = 0;
  std::size_t bits_[predictors] = {};
  alignas(64) U residuals_[predictors][blocks * block_values];
};

template <class Change>
double exact_promise_of(const exact::Header& header, const Change& change,
                        std::span<const std::byte> values) {
  constexpr std::size_t values_per_sample = 1 << 18;
  constexpr std::size_t value_size = sizeof(typename Change::V);
  const std::size_t count = values.size() / value_size;
  if (count < 2 * tile_values) return std::numeric_limits<double>::infinity();  // just try
  const std::size_t samples = std::clamp<std::size_t>(count / values_per_sample, 1, 16);
  const std::size_t stride = (count - block_values) / (samples * Sample<Change>::blocks);
  Sample<Change> sample(header, change, values);
  for (std::size_t i = 0; i < samples; ++i)
    sample.take(i * Sample<Change>::blocks * stride, stride);
  return value_size * 8 / sample.bits();
}

inline Result exact_encode(const exact::Header& header, const exact::Transform& transform,
                           std::span<const std::byte> values, std::span<std::byte> body) {
  return with_type(header.type, [&](auto zero) {
    return with_transform<decltype(zero)>(
        transform, [&](auto change) { return encode_transformed(header, change, values, body); });
  });
}

inline Result exact_decode(const exact::Header& header, const exact::Transform& transform,
                           std::span<const std::byte> body, std::span<std::byte> values) {
  return with_type(header.type, [&](auto zero) {
    using V = decltype(zero);
    if (transform.kind == exact::TransformKind::ordered) {
      return decode_ordered<V>(header, body, values);
    }
    return with_transform<V>(
        transform, [&](auto change) { return decode_transformed(header, change, body, values); });
  });
}

inline double exact_promise(const exact::Header& header, const exact::Transform& transform,
                            std::span<const std::byte> values) {
  return with_type(header.type, [&](auto zero) {
    return with_transform<decltype(zero)>(
        transform, [&](auto change) { return exact_promise_of(header, change, values); });
  });
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
          coded_encode,
          coded_decode,
          bounded_coded_encode,
          bounded_coded_decode};
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
