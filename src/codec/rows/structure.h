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

// Of each component; 0 where rows do not begin with the same one.
[[nodiscard]] constexpr std::uint32_t row_length_for(const Parameters& parameters,
                                                     std::uint8_t components) {
  const std::uint32_t length = parameters.row_length / components;
  const bool good = length * components == parameters.row_length && length <= bounded::longest_row;
  return good ? length : 0;
}

}  // namespace tightwire::codec
