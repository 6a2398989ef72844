// What a message holds of fill values: numbers that a program writes where it has no value.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "codec/fill/extent.h"

namespace tightwire::codec {

inline constexpr std::size_t most_fills_a_side = 3;
inline constexpr double fill_apart = 4;

struct FillValues {
  Extent others;  // of all finite values that are none
  std::array<double, 2 * most_fills_a_side> values{};
  std::size_t count = 0;

  [[nodiscard]] std::span<const double> all() const { return {values.data(), count}; }
  // From an origin to the nearest; infinite if there is none.
  [[nodiscard]] double nearest_to(double origin) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const double fill : all()) nearest = std::min(nearest, std::abs(fill - origin));
    return nearest;
  }
};

}  // namespace tightwire::codec
