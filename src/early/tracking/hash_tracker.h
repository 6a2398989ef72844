// `hash`: compares contents. Works on any readable memory, costs the program nothing between sends,
// and the reading of the buffer at a send.
#pragma once

#include "early/tracking/tracker.h"

namespace tightwire::early {

[[nodiscard]] std::unique_ptr<Tracker> make_hash_tracker();

}  // namespace tightwire::early
