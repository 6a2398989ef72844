// Values as they are, in tiles, or through the entropy coder: what other methods are made of.
#pragma once

#include "codec/exact/layout.h"
#include "codec/exact/transform.h"

namespace tightwire::codec::exact {

// Sizes are of encodings, their headers included. The header's method is set by each; it begins
// with what is known of the values' structure.
Result store(Header header, std::span<const std::byte> values, std::span<std::byte> encoded);
// Stored where tiles would not be shorter.
Result encode_tiles(Header header, const Transform& transform, std::span<const std::byte> values,
                    std::span<std::byte> encoded);
// Through the entropy coder, if that comes to less than `least`, which is what `encoded` holds so
// far. Allocates.
Result code_smaller(const Header& header, const Transform& transform,
                    std::span<const std::byte> values, Result least, std::span<std::byte> encoded);

// The smallest of these. Allocates.
Result encode_plain(const Header& header, std::span<const std::byte> values,
                    std::span<std::byte> encoded);

// What follows the header. Other methods are damage.
Result decode_plain(const Header& header, std::span<const std::byte> body, References references,
                    std::span<std::byte> values);

// What a body may take before storing would be smaller.
std::span<std::byte> body_of(std::span<const std::byte> values, std::span<std::byte> encoded);

}  // namespace tightwire::codec::exact
