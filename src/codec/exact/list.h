// Few distinct values, each many times: a list of them, and places in it.
#pragma once

#include "codec/exact/plain.h"
#include "codec/exact/runs.h"

namespace tightwire::codec::exact {

// Whether a sample shows values that repeat, other than one that fills gaps.
[[nodiscard]] bool may_be_few(ElementType type, std::span<const std::byte> values);

// Error::bad_parameter: there are too many of them. Allocates. The header's structure is that of
// the values, and so of their places.
Result encode_list(const Header& header, std::span<const std::byte> values, EncodePart encode_part,
                   std::span<std::byte> encoded);
Result decode_list(const Header& header, std::span<const std::byte> body,
                   std::span<std::byte> values);

}  // namespace tightwire::codec::exact
