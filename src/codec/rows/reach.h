// How far up prediction along rows should look: the integers of three rows must be kept at hand,
// which costs time even where only one is used.
#pragma once

#include <cstdint>
#include <span>

#include "codec/bounded/layout.h"
#include "codec/codec.h"
#include "codec/exact/layout.h"

namespace tightwire::codec {

// 0 without rows, 1, or 3 where a sample says that three predict clearly better than one. For
// `bounded` the integers are those on the grid of the header, for `exact` the ordered ones. The
// same on every machine.
[[nodiscard]] std::uint8_t bounded_rows_reach(const bounded::Header& header,
                                              std::span<const std::byte> values);
[[nodiscard]] std::uint8_t exact_rows_reach(const exact::Header& header,
                                            std::span<const std::byte> values);

// Whether the answer may be 3 at all.
[[nodiscard]] bool three_rows_allowed(std::size_t count, std::size_t row_length);

}  // namespace tightwire::codec
