// How far apart neighbours of a value lie that are not next to it in memory.
#pragma once

#include <cstdint>

namespace tightwire::codec {

// From row to row and from plane to plane; 0 where there are none.
struct Distances {
  std::uint32_t row = 0;
  std::uint32_t plane = 0;
};

}  // namespace tightwire::codec
