// The integers that `bounded` and `exact` make of values, for sampling: one value at a time.
#pragma once

#include <cmath>
#include <type_traits>

#include "codec/bounded/grid.h"
#include "codec/error_bound.h"
#include "codec/value_at.h"

namespace tightwire::codec {

// Positions on a grid. False: the grid does not hold the value.
template <class V>
class GridIntegers {
 public:
  static constexpr unsigned lane_bits = sizeof(V) * 8;

  GridIntegers(std::span<const std::byte> values, const bounded::Grid<V>& grid)
      : values_(values), grid_(grid), limit_(static_cast<double>(grid_.limit)) {}

  [[nodiscard]] bool usable() const { return grid_.usable; }

  [[nodiscard]] bool get(std::size_t index, std::int64_t& integer) const {
    const V value = value_at<V>(values_, index);
    const double scaled =
        (static_cast<double>(value) - static_cast<double>(grid_.origin)) * grid_.wide_inverse;
    if (!(std::abs(scaled) <= limit_)) return false;
    if (grid_.tiny_exact && negative_zero_or_subnormal(value)) return false;
    integer = static_cast<std::int64_t>(scaled + std::copysign(0.5, scaled));
    return true;
  }

  // Whether a neighbour is the same.
  [[nodiscard]] bool repeats(std::size_t index) const {
    using Bits = BitsOf<V>;
    const auto value = value_at<Bits>(values_, index);
    const std::size_t next = index + 1;
    return (index > 0 && value_at<Bits>(values_, index - 1) == value) ||
           (next < values_.size() / sizeof(V) && value_at<Bits>(values_, next) == value);
  }

 private:
  std::span<const std::byte> values_;
  bounded::Grid<V> grid_;
  double limit_;
};

// Integers as they are, floating point as integers of the same order.
template <class V>
class OrderedIntegers {
 public:
  static constexpr unsigned lane_bits = sizeof(V) <= 4 ? 32 : 64;

  explicit OrderedIntegers(std::span<const std::byte> values) : values_(values) {}

  [[nodiscard]] bool get(std::size_t index, std::int64_t& integer) const {
    if constexpr (std::is_floating_point_v<V>) {
      using Int = std::make_signed_t<BitsOf<V>>;
      const Int bits = value_at<Int>(values_, index);
      constexpr int sign = sizeof(V) * 8 - 1;
      integer = bits ^ static_cast<Int>(static_cast<BitsOf<V>>(bits >> sign) >> 1);
    } else {
      integer = std::int64_t{value_at<V>(values_, index)};
    }
    return true;
  }

  [[nodiscard]] static bool repeats(std::size_t) { return false; }

 private:
  std::span<const std::byte> values_;
};

}  // namespace tightwire::codec
