// The fixed parts of the `exact` bit stream; see docs/dev/format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/bounded/layout.h"
#include "codec/codec.h"

namespace tightwire::codec::exact {

inline constexpr std::uint8_t format_version = 3;

enum class Method : std::uint8_t {
  stored = 0,  // the values as they are
  tiles = 1,   // predicted, 16 to a block, as in `bounded` without its grid
  coded = 2,   // through the entropy coder
  words = 3,   // bytes that are an encoding of words
  runs = 4,    // without values that repeat the one before them
  list = 5,    // of the distinct values, and places in it
};

struct Header {
  ElementType type = ElementType::bytes;
  Method method = Method::stored;
  std::uint8_t components = 1;  // more only where values are not stored
  bounded::Rows rows;           // of a component; their reach only in `tiles`
  std::uint64_t count = 0;
};
inline constexpr std::size_t header_size = 16;

// The values that an estimate is of: all, or those that do not repeat the one before them.
enum class Counted : std::uint8_t { all, told };

void write_header(const Header& header, std::byte* out);
[[nodiscard]] Error read_header(std::span<const std::byte> encoded, Header& header);

}  // namespace tightwire::codec::exact
