// A reducer with a clock: what it does is told as phases of the call (runtime/report/phase.h).
#pragma once

#include <memory>

#include "collective/reduce/frame_reducer.h"

namespace tightwire::collective {

[[nodiscard]] std::unique_ptr<FrameReducer> make_timed(std::unique_ptr<FrameReducer> inner);

}  // namespace tightwire::collective
