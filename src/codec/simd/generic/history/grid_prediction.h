// What earlier messages say of the integers of the next one on its grid.
#pragma once

#include "codec/simd/generic/history/extrapolate.h"
#include "codec/simd/generic/tile.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// The bits of sampled blocks' widest residuals, in time and in space.
template <class U>
class SampledBlocks {
 public:
  // Integers before and after prediction in time. There are values before the block.
  void add(const U* before, const U* after) {
    U any[predictors] = {};
    for (std::size_t i = 0; i < block_values; ++i, ++before, ++after) {
      const U step = before[0] - before[-1];
      any[0] |= fold_sign(after[0]);
      any[1] |= fold_sign(static_cast<U>(after[0] - after[-1]));
      any[2] |= fold_sign(step);
      any[3] |= fold_sign(static_cast<U>(step - before[-1] + before[-2]));
    }
    for (std::size_t p = 0; p < predictors; ++p) {
      bits_[p] += static_cast<unsigned>(std::bit_width(any[p]));
    }
  }
  [[nodiscard]] bool space_is_better() const {
    return bounded::is_better_left_out(std::min(bits_[0], bits_[1]), std::min(bits_[2], bits_[3]));
  }

 private:
  static constexpr std::size_t predictors = 4;
  unsigned bits_[predictors] = {};
};

template <class T>
class GridPrediction {
 public:
  using Int = typename Lane<T>::Int;
  using U = typename Lane<T>::Unsigned;

  GridPrediction(const Grid<T>& grid, References references)
      : grid_(grid), order_(references.size()) {
    for (std::size_t k = 0; k < order_; ++k) references_[k] = references[k].data();
  }

  // Of a tile's worth of values from `first` on; valid until the next call.
  const Int* integers(std::size_t first, std::size_t count) {
    with_order(order_, [&](auto order) { predict<order.value>(first, count); });
    return said_;
  }

  // Takes them from those of a tile, unless neighbours say more of it: then the bit is set.
  void subtract(std::size_t first, Tile<T>& tile, std::span<std::byte> left_out) {
    const Int* const said = integers(first, tile.count);
    alignas(64) U rest[tile_values];
    const U* const q = reinterpret_cast<const U*>(tile.q);
    for (std::size_t i = 0; i < tile.count; ++i) rest[i] = q[i] - static_cast<U>(said[i]);
    if (!tile.any_exceptions && space_is_better(q, rest, tile.count)) {
      bounded::set_left_out(left_out, first / tile_values);
    } else {
      std::memcpy(tile.q, rest, tile.count * sizeof(U));
    }
  }

 private:
  static constexpr std::size_t blocks_looked_at = 4;

  static bool space_is_better(const U* q, const U* rest, std::size_t count) {
    if (count < 2 * block_values) return false;
    SampledBlocks<U> sample;
    for (std::size_t b = 0; b < blocks_looked_at; ++b) {
      const std::size_t at = 2 + (count - block_values - 2) * b / (blocks_looked_at - 1);
      sample.add(q + at, rest + at);
    }
    return sample.space_is_better();
  }

  // The integer nearest to a prediction, and 0 where the grid has none.
  template <std::size_t order>
  void predict(std::size_t first, std::size_t count) {
    const std::byte* references[order];
    std::copy_n(references_, order, references);
    const T limit = static_cast<T>(bounded::Steps<T>::most);
    for (std::size_t i = 0; i < count; ++i) {
      const T value = continued<order, T>(references, (first + i) * sizeof(T));
      const T scaled = (value - grid_.origin) * grid_.inverse;
      const U rounded = std::bit_cast<U>(scaled + rounder<T>) - std::bit_cast<U>(rounder<T>);
      said_[i] = std::abs(scaled) <= limit ? static_cast<Int>(rounded) : Int{0};
    }
  }

  Grid<T> grid_;
  std::size_t order_;
  const std::byte* references_[most_references];
  alignas(64) Int said_[tile_values];
};

// With the bits that an encoder has set.
template <class T>
class GridContinuation {
 public:
  GridContinuation(const Grid<T>& grid, const bounded::InTime& in_time)
      : prediction_(grid, in_time.references), left_out_(in_time.left_out) {}

  // nullptr where they are left out.
  const typename Lane<T>::Int* integers(std::size_t first, std::size_t count) {
    const bool out = bounded::is_left_out(left_out_, first / tile_values);
    return out ? nullptr : prediction_.integers(first, count);
  }

 private:
  GridPrediction<T> prediction_;
  std::span<const std::byte> left_out_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
