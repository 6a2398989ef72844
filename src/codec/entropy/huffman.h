// Canonical Huffman codes of at most 11 bits, and how a segment states them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/entropy/layout.h"

namespace tightwire::codec::entropy {

inline constexpr unsigned longest_code = 11;

using Counts = std::array<std::uint32_t, most_tokens>;
using Lengths = std::array<std::uint8_t, most_tokens>;  // 0: the token does not occur

// A token that is alone has length 1 here, and takes no bits.
[[nodiscard]] Lengths code_lengths(const Counts& counts);

struct Code {
  std::uint16_t bits = 0;  // the first to be written lowest
  std::uint8_t length = 0;
};
using Codes = std::array<Code, most_tokens>;

// False if the lengths are not those of a complete code.
[[nodiscard]] bool codes_of(const Lengths& lengths, Codes& codes);

inline constexpr std::size_t largest_table = 2 + (2 * most_tokens + 1) / 2;

// Returns how many bytes were written or read; reading 0 means damage.
std::size_t write_lengths(const Lengths& lengths, std::byte* out);
[[nodiscard]] std::size_t read_lengths(std::span<const std::byte> in, Lengths& lengths);

}  // namespace tightwire::codec::entropy
