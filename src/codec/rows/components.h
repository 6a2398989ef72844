// Finds how many components take turns in a message that is a flat array: x y z x y z has three.
#pragma once

#include <cstdint>
#include <span>

#include "codec/bounded/layout.h"
#include "codec/codec.h"
#include "codec/rows/row_length.h"

namespace tightwire::codec {

// Integers of a stretch that are looked at, the last ones.
inline constexpr std::size_t components_window = 800;
// A stretch must have two blocks of each component, and what their predictors look at.
[[nodiscard]] constexpr std::size_t stretch_for_components(std::size_t components) {
  return components * (2 * bounded::block_values + 2);
}

// The number that takes clearly fewer bits than one component does, if values are predicted from
// earlier ones of theirs alone; of about equals the smallest. 1 if there is none.
[[nodiscard]] std::uint32_t find_components(std::span<const Stretch> stretches) noexcept;

// The same from a few stretches of a message, for `exact`.
[[nodiscard]] std::uint32_t find_components(ElementType type,
                                            std::span<const std::byte> values) noexcept;

}  // namespace tightwire::codec
