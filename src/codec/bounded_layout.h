// The fixed parts of the `bounded` bit stream; see docs/format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/codec.h"

namespace tightwire::codec::bounded {

inline constexpr std::uint8_t format_version = 1;

inline constexpr std::size_t block_values = 16;
inline constexpr std::size_t tile_blocks = 64;
inline constexpr std::size_t tile_values = block_values * tile_blocks;
inline constexpr std::size_t longest_row = 8192;
inline constexpr std::size_t longest_run = 256;  // tiles

// A block with more values than this that the grid cannot hold is kept verbatim as a whole.
inline constexpr int most_exceptions = 4;

enum class TileKind : std::uint8_t { verbatim = 0, dense = 1, sparse = 2, run = 3, integers = 4 };
enum class Predictor : std::uint8_t { none = 0, previous = 1, second = 2, row = 3 };
inline constexpr std::size_t predictors = 4;

// Codes of a block: 0 is width 0, 1 to 13 are width base + code, the others take one more byte.
inline constexpr unsigned code_wide = 14;
inline constexpr unsigned code_exceptions = 15;
inline constexpr unsigned exceptions_have_values = 0x80;

[[nodiscard]] constexpr std::byte kind_byte(TileKind kind, Predictor predictor) {
  return std::byte(static_cast<unsigned>(kind) | static_cast<unsigned>(predictor) << 4);
}

struct Header {
  ElementType type = ElementType::float32;
  std::uint32_t row_length = 0;  // 0: no row prediction
  std::uint32_t terms = 1;
  std::uint64_t count = 0;
  double error_bound = 0;
};
inline constexpr std::size_t header_size = 28;

void write_header(const Header& header, std::byte* out);
// Checks every field against its range and the version.
[[nodiscard]] Error read_header(std::span<const std::byte> encoded, Header& header);

[[nodiscard]] constexpr bool valid_grid(double error_bound, std::uint32_t terms) {
  return error_bound > 0 && error_bound <= 1.7976931348623157e308 && terms > 0;
}

// A block takes at most its values, a mask and a byte; a tile also its kind, base, map and codes.
[[nodiscard]] constexpr std::size_t max_tile_size(std::size_t value_size) {
  return 2 + 8 + tile_blocks / 2 + tile_blocks * (3 + block_values * value_size);
}

}  // namespace tightwire::codec::bounded
