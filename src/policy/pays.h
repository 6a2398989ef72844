// Whether a codec is worth its time on a link.
#pragma once

#include "policy/call.h"

namespace tightwire::policy {

// Time for one byte of a message on its way through a rank, in seconds: one decode and one encode,
// and the transfer of what is left of it. Pipelined they overlap, so the slower one counts; else
// they add up. `link` is in bytes per second.
[[nodiscard]] double compressed_cost(codec::Id codec, bool pipelined, double link);
[[nodiscard]] double raw_cost(double link);

// True if the plan is raw, or costs clearly less than a raw message would.
[[nodiscard]] bool pays(const Plan& plan, double link);

}  // namespace tightwire::policy
