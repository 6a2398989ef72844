// How many times as fast several threads of a rank code as one, where all ranks do so at once.
#pragma once

#include <cstdint>

#include "settings/values.h"

namespace tightwire::calibrate {

// Of 2, 4, 8, ... threads up to `most`, or, with 0, as many as each rank has cores for itself; of
// each number the least of all ranks. Collective; nothing where no rank has a second core. Throws
// std::bad_alloc.
[[nodiscard]] settings::CodingSpeedups measure_coding_threads(std::uint32_t most);

}  // namespace tightwire::calibrate
