// The fixed parts of the `bounded` bit stream; see docs/dev/format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/codec.h"
#include "codec/rows/distances.h"

namespace tightwire::codec::bounded {

inline constexpr std::uint8_t format_version = 3;

inline constexpr std::size_t block_values = 16;
inline constexpr std::size_t tile_blocks = 64;
inline constexpr std::size_t tile_values = block_values * tile_blocks;
inline constexpr std::size_t longest_row = 8192;
// For Predictor::rows, which looks three back.
inline constexpr std::size_t shortest_of_rows = 16;
inline constexpr std::size_t longest_of_rows = 4096;
inline constexpr std::size_t longest_run = 256;  // tiles

enum class TileKind : std::uint8_t {
  verbatim = 0,
  dense = 1,
  sparse = 2,
  run = 3,
  integers = 4,
  close = 5,
  masked = 6,  // fill values, and a tile of the other blocks
  fill = 7     // a run of tiles of nothing else
};
// In the place of a predictor, of tiles with fill values: another one follows.
inline constexpr std::byte new_fill{0x10};

// A mask is written as the places where it changes, fewer than this, or as a bit for each value.
inline constexpr unsigned mask_as_bits = 255;
inline constexpr std::size_t most_changes = 127;
inline constexpr unsigned far_change = 255;  // so many values further on there is no change yet

enum class Predictor : std::uint8_t {
  none = 0,
  previous = 1,
  second = 2,
  row = 3,
  rows = 4,
  plane = 5,
  cube = 6  // row and plane
};
inline constexpr std::size_t predictors = 7;

// What prediction knows of rows: their length, how many above the current one it may look at, and
// how many make a plane.
struct Rows {
  std::uint32_t length = 0;    // at most longest_row; 0: no rows
  std::uint8_t reach = 0;      // 0 without rows, else 1, or most_rows for some lengths
  std::uint16_t in_plane = 0;  // 0: no planes

  [[nodiscard]] constexpr Distances apart() const { return {length, length * in_plane}; }
};
inline constexpr std::uint8_t most_rows = 3;
inline constexpr std::uint32_t most_rows_in_plane = 65535;

// They share a field of the header.
[[nodiscard]] constexpr std::uint32_t rows_field(Rows rows) {
  return rows.length | std::uint32_t{rows.in_plane} << 16;
}
constexpr void take_rows_field(std::uint32_t field, Rows& rows) {
  rows.length = field & 0xffff;
  rows.in_plane = static_cast<std::uint16_t>(field >> 16);
}
// Planes are of rows, and shorter than the message.
[[nodiscard]] constexpr bool valid_planes(Rows rows, unsigned components, std::uint64_t count) {
  if (rows.in_plane == 0) return true;
  const std::uint64_t plane = std::uint64_t{rows.length} * rows.in_plane;
  return plane >= block_values && plane * components < count;
}

[[nodiscard]] constexpr bool valid(Rows rows) {
  if (rows.length == 0) return rows.reach == 0;
  if (rows.reach == most_rows) {
    return rows.length >= shortest_of_rows && rows.length <= longest_of_rows;
  }
  return rows.reach == 1 && rows.length <= longest_row;
}
[[nodiscard]] constexpr bool usable(Predictor predictor, Rows rows) {
  if (predictor < Predictor::row) return true;
  if (predictor >= Predictor::plane) return rows.in_plane != 0;
  return rows.reach >= (predictor == Predictor::rows ? most_rows : 1);
}

// Codes of a block: 0 is width 0, 1 to 13 are width base + code, the others take one more byte.
inline constexpr unsigned code_wide = 14;
inline constexpr unsigned code_exceptions = 15;
inline constexpr unsigned exceptions_have_values = 0x80;
inline constexpr unsigned block_of_words = 0xff;  // instead of a width

// Widths of a close tile are its base and up to 3 more: two bits for each block.
inline constexpr unsigned most_above_base = 3;
[[nodiscard]] constexpr std::size_t close_codes_size(std::size_t blocks) {
  return (blocks + 3) / 4;
}

[[nodiscard]] constexpr std::byte kind_byte(TileKind kind, Predictor predictor) {
  return std::byte(static_cast<unsigned>(kind) | static_cast<unsigned>(predictor) << 4);
}

// Values of several components (x y z x y z ...) are taken apart into a stream of each, which have
// tiles, rows and a state of their own.
inline constexpr std::size_t most_components = 16;
// Reach and components share a byte of the header.
[[nodiscard]] constexpr std::byte structure_byte(std::uint8_t reach, std::uint8_t components) {
  return std::byte(reach | (components - 1) << 4);
}
[[nodiscard]] constexpr std::uint8_t reach_of(std::byte structure) {
  return static_cast<std::uint8_t>(structure & std::byte{15});
}
[[nodiscard]] constexpr std::uint8_t components_of(std::byte structure) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(structure >> 4) + 1);
}

enum class GridKind : std::uint8_t {
  derived = 0,  // from error bound and terms
  given = 1,    // step and origin stand in the header
  none = 2,     // an encoding of `exact` follows
  coded = 3,    // given, and its integers are behind the entropy coder
  in_time = 4,  // given, and its integers are what earlier messages leave
  coded_in_time = 5
};

// How a writer uses a grid of its own.
struct GridUse {
  bool wide_encode = false;     // integers are too large to be found in float32
  std::int64_t limit = 0;       // the largest integer
  std::int64_t fast_limit = 0;  // the largest that is expected
  double exact_below = 0;       // magnitudes below are exceptions, but for 0; a number of the type
};

struct Header {
  ElementType type = ElementType::float32;
  std::uint8_t components = 1;  // more only where the grid is given
  Rows rows;                    // of a component
  GridKind grid = GridKind::derived;
  std::uint32_t terms = 1;  // this and error_bound of a derived grid
  double error_bound = 0;
  double step = 0;  // this and origin of a given grid, coded or not
  float origin = 0;
  std::uint64_t count = 0;
  GridUse use;  // for the writer alone, of a given grid
};
inline constexpr std::size_t header_size = 28;

void write_header(const Header& header, std::byte* out);
// Checks every field against its range and the version.
[[nodiscard]] Error read_header(std::span<const std::byte> encoded, Header& header);

[[nodiscard]] constexpr bool is_in_time(const Header& header) {
  return header.grid == GridKind::in_time || header.grid == GridKind::coded_in_time;
}
[[nodiscard]] constexpr bool has_own_grid(const Header& header) {
  return header.grid == GridKind::given || header.grid == GridKind::coded || is_in_time(header);
}

[[nodiscard]] constexpr bool valid_grid(double error_bound, std::uint32_t terms) {
  return error_bound > 0 && error_bound <= 1.7976931348623157e308 && terms > 0;
}

// Kind, fill value and mask of a masked tile.
[[nodiscard]] constexpr std::size_t max_mask_size(std::size_t value_size) {
  return 2 + value_size + tile_blocks * 2;
}

// A block takes at most its values, a mask and two bytes; a tile also its kind, base, map and
// codes, and what stands before them.
[[nodiscard]] constexpr std::size_t max_tile_size(std::size_t value_size) {
  return max_mask_size(value_size) + 2 + 8 + tile_blocks / 2 +
         tile_blocks * (4 + block_values * value_size);
}

}  // namespace tightwire::codec::bounded
