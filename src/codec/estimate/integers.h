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
    if (bounded::is_too_small(value, grid_)) return false;
    integer = static_cast<std::int64_t>(scaled + std::copysign(0.5, scaled));
    return true;
  }

  // Whether a neighbour, so far away, is the same.
  [[nodiscard]] bool repeats(std::size_t index, std::size_t distance = 1) const {
    using Bits = BitsOf<V>;
    const auto value = value_at<Bits>(values_, index);
    const std::size_t next = index + distance;
    return (index >= distance && value_at<Bits>(values_, index - distance) == value) ||
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

  [[nodiscard]] static bool repeats(std::size_t, std::size_t = 1) { return false; }

 private:
  std::span<const std::byte> values_;
};

// Without its sign, which is the lowest bit then.
[[nodiscard]] constexpr std::uint64_t folded(std::uint64_t residual) {
  return residual << 1 ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(residual) >> 63);
}

// Calls run with the ordered integers of values of a type; opaque bytes are taken for small ones.
template <class Run>
auto with_ordered_integers(ElementType type, std::span<const std::byte> values, Run run) {
  switch (type) {
    case ElementType::int16:
      return run(OrderedIntegers<std::int16_t>(values));
    case ElementType::int32:
      return run(OrderedIntegers<std::int32_t>(values));
    case ElementType::int64:
      return run(OrderedIntegers<std::int64_t>(values));
    case ElementType::float32:
      return run(OrderedIntegers<float>(values));
    case ElementType::float64:
      return run(OrderedIntegers<double>(values));
    case ElementType::bytes:
    case ElementType::int8:
      break;
  }
  return run(OrderedIntegers<std::int8_t>(values));
}

}  // namespace tightwire::codec
