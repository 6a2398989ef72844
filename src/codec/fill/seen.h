// What a search for fill values has seen, as a question to values: is there one that is new to it?
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "codec/fill/fill_values.h"

namespace tightwire::codec {

// New is a finite number above or below those that are ordinary, and none of the known ones.
struct Seen {
  Extent ordinary;
  std::array<double, 2 * most_fills_a_side> known{};
  std::size_t count = 0;

  void add(double value) { known[count++] = value; }
};

// Values are asked in blocks of so many bytes.
inline constexpr std::size_t seen_block = 4096;

}  // namespace tightwire::codec
