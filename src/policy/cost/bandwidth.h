// How fast the network is, by what plain calls took. Pure functions.
#pragma once

#include "policy/cost/cost.h"

namespace tightwire::policy {

// The bandwidth at which raw_seconds() would be so many, in bytes per second: what plain MPI's
// calls tell of the network. The one in `facts` does not matter. Some part of the time is the
// wire's, even if the rest of the model takes all of it.
[[nodiscard]] double bandwidth_by(Facts facts, double seconds);
// What is held for the bandwidth where `known` was and calls now tell of another one: something
// between, as times are noisy. But what is far slower is believed: a first call may end in buffers
// along the way, at the speed of memory. So is what replaces a rough one.
[[nodiscard]] double learned_bandwidth(const Network& known, double seen);
// The network of which `facts` hold what was known, now that their call took so many seconds. On a
// fast link that of few bytes is latency, and much of a reduction's is adding: where most of it is,
// the call tells nothing of a link that is known, and of another roughly.
[[nodiscard]] Network learned_network(const Facts& facts, double seconds);

}  // namespace tightwire::policy
