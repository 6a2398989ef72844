// Simulated time for work that is done for real: the simulator's own clock stands still while a
// rank computes.
#pragma once

#include "comparison/baselines/coder.h"
#include "scale/costs.h"

namespace tightwire::scale {

// From here on this rank is charged for every piece of work of Tightwire's codecs.
void charge_codecs(const Costs& costs);

// For adding `bytes` of values to others in memory.
void charge_adding(std::size_t bytes);

// A baseline's coder that is charged for.
[[nodiscard]] std::unique_ptr<comparison::Coder> charged(std::unique_ptr<comparison::Coder> coder,
                                                         const Costs& costs);

}  // namespace tightwire::scale
