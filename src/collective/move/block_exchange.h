// Moves blocks of the program's buffers between pairs of ranks, step by step.
#pragma once

#include <cstdint>
#include <vector>

#include "collective/move/partners.h"
#include "collective/plan/movement_plan.h"
#include "collective/transfer/schedule.h"
#include "collective/transfer/work.h"

namespace tightwire::collective {

// Whether each partner gets a block of its own, or all get the same one: that is encoded once, so
// that whoever decodes it has the same bits.
enum class Sent : std::uint8_t { one_to_each, the_same_to_all };

// One step after the other. What needs no codec is under way from the beginning, unless frames
// would have to stand behind it. What was done is noted in `work`. Throws MpiError.
[[nodiscard]] Schedule<> exchange_blocks(const MovementPlan& plan,
                                         const std::vector<Partners>& steps, Work& work,
                                         Sent sent = Sent::one_to_each);

}  // namespace tightwire::collective
