// Finds the rows of a field that arrives as a flat array: the lag at which its differences repeat.
#pragma once

#include <cstdint>
#include <span>

namespace tightwire::codec {

// A stretch of consecutive integers: quantised values, or values in their order.
using Stretch = std::span<const std::int64_t>;

// What a stretch must have to show lags up to `longest`.
[[nodiscard]] constexpr std::size_t stretch_for_lag(std::size_t longest) {
  return longest + 384;
}

// The lag L for which u[i] = d[i] - d[i - L], d being the differences, takes clearly fewer bits
// than values, differences and second differences do: two-dimensional Lorenzo prediction. 0 if
// there is none, as in constants, noise and lines without rows. Of equals the smallest. Lags below
// 16 are not considered: they decode slowly.
[[nodiscard]] std::uint32_t find_row_length(std::span<const Stretch> stretches) noexcept;

// The same of stretches of columns, where each integer is of another row: after how many of them
// there is a new plane. At least 8.
[[nodiscard]] std::uint32_t find_rows_in_plane(std::span<const Stretch> stretches) noexcept;

}  // namespace tightwire::codec
