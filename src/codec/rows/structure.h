// What writers take of what they are told of the values' structure.
#pragma once

#include "codec/bounded/layout.h"
#include "codec/codec.h"

namespace tightwire::codec {

// Components of a message with so many values: 1 where it has hardly a block of each.
[[nodiscard]] constexpr std::uint8_t components_for(const Parameters& parameters,
                                                    std::size_t count) {
  const std::uint32_t components = parameters.components;
  const bool good = components <= bounded::most_components &&
                    count >= std::size_t{2} * bounded::block_values * components;
  return components == 0 || !good ? std::uint8_t{1} : static_cast<std::uint8_t>(components);
}

// Rows of each component; 0 where rows do not begin with the same one.
[[nodiscard]] constexpr std::uint32_t row_length_for(const Parameters& parameters,
                                                     std::uint8_t components) {
  const std::uint32_t length = parameters.row_length / components;
  const bool good = length * components == parameters.row_length && length <= bounded::longest_row;
  return good ? length : 0;
}

// Of values with rows; 0 where a plane is not some rows, or short, or the message not two planes.
[[nodiscard]] constexpr std::uint16_t rows_in_plane_for(const Parameters& parameters,
                                                        std::uint8_t components,
                                                        std::size_t count) {
  const std::uint32_t row = parameters.row_length;
  const std::uint32_t plane = parameters.plane_length;
  if (row == 0 || plane % row != 0 || count / 2 < plane) return 0;
  const std::uint32_t rows = plane / row;
  const bool good = rows >= 2 && plane / components >= bounded::block_values &&
                    rows <= bounded::most_rows_in_plane;
  return good ? static_cast<std::uint16_t>(rows) : std::uint16_t{0};
}

}  // namespace tightwire::codec
