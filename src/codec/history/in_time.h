// What stands before the tiles, or the coded integers, of a message on a given grid that is
// predicted from earlier ones; see docs/dev/format.md, "Encodings in time".
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "codec/bounded/layout.h"

namespace tightwire::codec::bounded {

// From all of these. A bit for each tile tells where they are left out.
struct InTime {
  References references = {};
  std::span<const std::byte> left_out = {};
};

[[nodiscard]] constexpr std::size_t left_out_size(std::uint64_t count) {
  constexpr std::uint64_t values_per_byte = 8 * tile_values;
  return static_cast<std::size_t>(count / values_per_byte + (count % values_per_byte != 0));
}
[[nodiscard]] constexpr bool is_left_out(std::span<const std::byte> left_out, std::size_t tile) {
  return (static_cast<unsigned>(left_out[tile / 8]) >> tile % 8 & 1) != 0;
}
constexpr void set_left_out(std::span<std::byte> left_out, std::size_t tile) {
  left_out[tile / 8] |= std::byte(1 << tile % 8);
}
// What a writer goes by, of the bits that a sample of a tile takes either way.
[[nodiscard]] constexpr bool is_better_left_out(unsigned bits_in_time, unsigned bits_in_space) {
  constexpr unsigned least_gain = 16;  // one part in so many, for a change costs something
  return bits_in_space + bits_in_time / least_gain < bits_in_time;
}

// Of the order and of the bits.
[[nodiscard]] constexpr std::size_t in_time_size(std::uint64_t count) {
  return 1 + left_out_size(count);
}

// Returns the bits, all 0, for the encoder to set. `body` has room.
std::span<std::byte> write_in_time(std::uint64_t count, References references,
                                   std::span<std::byte> body);
// Of the references given, those that the encoder used; nothing: damaged.
[[nodiscard]] std::optional<InTime> read_in_time(std::uint64_t count, References references,
                                                 std::span<const std::byte> body);

}  // namespace tightwire::codec::bounded
