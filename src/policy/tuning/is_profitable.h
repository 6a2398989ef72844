// Whether a message that is only moved is worth compressing, by what its sender alone knows.
#pragma once

#include "policy/call.h"

namespace tightwire::policy {

// Time for one byte of a message on its way through a rank, in seconds: one decode and one encode,
// and the transfer of what is left of it at that ratio. Pipelined they overlap, so the slower one
// counts; else they add up. `link` is in bytes per second.
[[nodiscard]] double compressed_cost(codec::Id codec, double ratio, bool pipelined, double link);
[[nodiscard]] double raw_cost(double link);
// The same where it is predicted from earlier messages, which both sides keep: of a message of so
// many bytes.
[[nodiscard]] double cost_in_time(codec::Id codec, double ratio, bool pipelined, double link,
                                  std::size_t bytes);

// True if the plan is raw, or costs clearly less than a raw message would.
[[nodiscard]] bool is_profitable(const Plan& plan, double ratio, double link);

}  // namespace tightwire::policy
