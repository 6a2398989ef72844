// Where packed values begin, for instruction sets that look bytes up in a register.
#pragma once

#include "codec/simd/generic/headers.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// For each width to 8, where in 16 bytes the 16 packed values begin.
struct SpreadTable {
  alignas(64) std::uint8_t bytes[9][64];
  alignas(64) std::uint32_t shifts[9][16];
};

constexpr SpreadTable make_spread_table() {
  SpreadTable table{};
  for (unsigned width = 0; width <= 8; ++width) {
    for (std::size_t i = 0; i < 16; ++i) {
      const std::size_t first = i * width / 8;
      table.bytes[width][4 * i] = static_cast<std::uint8_t>(first);
      table.bytes[width][4 * i + 1] = static_cast<std::uint8_t>(first + 1 < 16 ? first + 1 : 0x80);
      table.bytes[width][4 * i + 2] = 0x80;
      table.bytes[width][4 * i + 3] = 0x80;
      table.shifts[width][i] = i * width % 8;
    }
  }
  return table;
}
inline constexpr SpreadTable spread_table = make_spread_table();

}  // namespace tightwire::codec::TIGHTWIRE_ISA
