// What the papers' tables call constant blocks, of encodings of `bounded`.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "codec/codec.h"

namespace tightwire::bench {

// The share of the encoding's blocks, of 16 values, of which no bits are stored: all values are as
// they were predicted, or fill values. Nothing where there are no blocks: an encoding of no values,
// one without a grid, one behind the entropy coder. Throws std::runtime_error where the encoding
// does not end with its last block.
[[nodiscard]] std::optional<double> constant_blocks(codec::ElementType type,
                                                    std::span<const std::byte> encoded);

}  // namespace tightwire::bench
