// Modes of one call, measured in turn.
#pragma once

#include <span>

#include "calibrate/collectives/call.h"
#include "calibrate/measure/alternate.h"
#include "calibrate/measure/mode.h"

namespace tightwire::calibrate {

struct Point {
  Collective collective{};
  std::size_t count = 0;  // float32 values
};

// One measurement for each mode. The settings of the last one stay in force. Every mode must be one
// that apply() accepts. Collective; all ranks get the same.
[[nodiscard]] std::vector<Measurement> alternate(std::span<const Mode> modes, const Point& point,
                                                 Buffers& buffers, const Effort& effort);

}  // namespace tightwire::calibrate
