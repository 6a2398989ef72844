// Which tier, codec and chunks a call gets. Pure functions of settings and facts that all ranks
// share, so that all ranks choose alike without talking.
#pragma once

#include "policy/call.h"
#include "settings/settings.h"

namespace tightwire::policy {

[[nodiscard]] Plan choose(const settings::Settings& settings, const Call& call);

// The codec of the exact tier, also for data that turns out to have no usable bound.
[[nodiscard]] codec::Id exact_codec(const settings::Settings& settings);

// Into how many chunks `bytes` that travel in one piece are cut: more than 1 only if the plan is
// pipelined or a single frame would be too large for MPI.
[[nodiscard]] std::size_t chunk_count(const settings::Settings& settings, const Plan& plan,
                                      std::size_t bytes);

}  // namespace tightwire::policy
