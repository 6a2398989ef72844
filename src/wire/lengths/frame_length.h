// The lengths that messages may have on the wire, and what a probe can read from them.
//
// A probe sees nothing of a message but its length, and a message that a synchronous send waits for
// must not be received to see more. So encodings are padded to lengths that few messages have by
// themselves: 3 bytes below a multiple of 64, or of a 128th to a 256th of the length where that is
// more. A synchronous send of such a length goes as a frame of another length, 5 bytes below a
// multiple of 64, of which the sender has announced for how long a message it stands; so does every
// message that has such a length by itself. A message of any other length is as long as it looks.
// Announced lengths are that near to each other because what a frame is shorter than its message
// follows in another one, which must leave without its sender's help.
//
// No MPI, no allocation, no exceptions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

namespace tightwire::wire {

namespace detail {

inline constexpr std::size_t shortest_step = 64;

// Between two lengths of encoded frames.
[[nodiscard]] constexpr std::size_t length_step(std::size_t length) {
  return std::max(shortest_step, std::bit_floor(length) / 128);
}

}  // namespace detail

// Whether a message of this length can be a frame with an encoding.
[[nodiscard]] constexpr bool is_encoded_length(std::size_t length) {
  return (length + 3) % detail::length_step(length) == 0;
}

// The shortest such length that is at least `least`.
[[nodiscard]] constexpr std::size_t encoded_length(std::size_t least) {
  const std::size_t step = detail::length_step(least);
  const std::size_t length = (least + 2 + step) / step * step - 3;
  // Behind a power of two the steps are longer.
  return is_encoded_length(length) ? length : encoded_length(std::bit_floor(length));
}

// The longest such length that is at most `most`, which is 61 or more.
[[nodiscard]] constexpr std::size_t encoded_length_within(std::size_t most) {
  const std::size_t step = detail::length_step(most);
  return (most + 3) / step * step - 3;
}

// Whether what such a length means has been announced (wire/lengths/announced_length.h).
[[nodiscard]] constexpr bool is_announced_length(std::size_t length) {
  return (length + 5) % detail::shortest_step == 0;
}

// The longest such length that is at most `most`, which is 59 or more.
[[nodiscard]] constexpr std::size_t announced_length_within(std::size_t most) {
  return (most + 5) / detail::shortest_step * detail::shortest_step - 5;
}

}  // namespace tightwire::wire
