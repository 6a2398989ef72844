// Performs one rank's steps of a schedule.
#pragma once

#include <string>
#include <vector>

#include "communicators.h"
#include "outcome.h"
#include "plan.h"

namespace semantics {

// Returns the log: a line for everything that the standard determines, in an order of its own.
// Threads may perform schedules at the same time, each on its own communicators.
[[nodiscard]] std::vector<std::string> perform(const Schedule& schedule, int rank,
                                               const Communicators& comms, const Judge& judge);

}  // namespace semantics
