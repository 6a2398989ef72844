// Modes of one call, measured in turn.
#pragma once

#include <span>

#include "collectives/call.h"
#include "support/alternate.h"
#include "support/mode.h"

namespace tightwire::bench {

struct Point {
  Collective collective{};
  std::size_t count = 0;  // float32 values
};

// One measurement for each mode. The settings of the last one stay in force. Every mode must be one
// that apply() accepts. Collective; all ranks get the same.
[[nodiscard]] std::vector<Measurement> alternate(std::span<const Mode> modes, const Point& point,
                                                 Buffers& buffers, const Effort& effort);

}  // namespace tightwire::bench
