// The fixed parts of the entropy coder's stream; see docs/dev/format.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "codec/rows/distances.h"

namespace tightwire::codec::entropy {

inline constexpr std::size_t segment_values = 16384;
inline constexpr std::size_t streams = 8;

// What a value is told by: a token, coded, and bits behind it that are kept as they are.
enum class TokenKind : std::uint8_t {
  logarithmic = 0,  // the token tells the value's width and its two bits behind the first
  linear = 1,       // the token is what a shift leaves of the value less a base
};
// In the place of a kind of tokens: residuals four at a time, as symbols in a segment of their own,
// and what has no symbol in another.
inline constexpr std::uint8_t fours_kind = 2;
inline constexpr unsigned other_four = 81;  // the symbol of what has none
inline constexpr unsigned most_fours = 3;   // segments within each other

inline constexpr std::size_t escape_token = 256;  // of linear: the value in full width
inline constexpr std::size_t most_tokens = 257;

// Residuals are differences of differences: `order` times along values `lag` apart, and
// `row_order` times along those a row apart, `plane_order` times along those a plane apart; but a
// row order of three_rows stands for what three rows say, as in Predictor::rows.
struct Differences {
  std::uint8_t order = 0;
  std::uint8_t row_order = 0;
  std::uint8_t plane_order = 0;
  std::uint8_t lag = 1;
  Distances apart;

  [[nodiscard]] constexpr std::size_t along() const { return std::size_t{order} * lag; }
  [[nodiscard]] constexpr bool looks_up() const { return row_order != 0 || plane_order != 0; }
};
inline constexpr unsigned most_order = 7;
inline constexpr unsigned three_rows = 3;
inline constexpr unsigned most_row_order = three_rows;
inline constexpr unsigned most_plane_order = 2;
inline constexpr unsigned longest_lag = 64;
inline constexpr std::size_t shortest_row = 16;  // and plane

// Of `order` differences, how often the value k before counts: with alternating signs.
using Binomials = std::array<std::array<std::uint8_t, most_order + 1>, most_order + 1>;
constexpr Binomials make_binomials() {
  Binomials choose{};
  for (std::size_t n = 0; n <= most_order; ++n) {
    choose[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) {
      choose[n][k] = static_cast<std::uint8_t>(choose[n - 1][k - 1] + choose[n - 1][k]);
    }
  }
  return choose;
}
inline constexpr Binomials binomials = make_binomials();

// So many zeros stand before the first value.
[[nodiscard]] constexpr std::size_t most_reach(Distances apart) {
  return std::size_t{most_order} * longest_lag + std::size_t{most_row_order} * apart.row +
         std::size_t{most_plane_order} * apart.plane;
}

// Enough for what an encoder or a decoder works with beside its integers.
inline constexpr std::size_t workspace_size = std::size_t{512} << 10;

// With the integers, which have 32 bits at least, and two bytes for every 16 of them.
[[nodiscard]] constexpr std::size_t scratch_size(std::size_t count, std::size_t value_size,
                                                 Distances apart) {
  const std::size_t integers = most_reach(apart) + count;
  return workspace_size + integers * (value_size < 4 ? 4 : value_size) + (count / 16 + 1) * 2;
}

}  // namespace tightwire::codec::entropy
