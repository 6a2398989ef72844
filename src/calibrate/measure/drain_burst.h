// A shaped link (a token bucket, in a laboratory or a cloud) lets a burst through at full speed
// after a pause. Before a large message every rank sends that much, so that it meets the link's
// steady rate, as it would on a real wire.
#pragma once

#include <cstddef>

namespace tightwire::calibrate {

// Before a message of this size; small ones need none. By plain MPI, whatever is in force.
// Collective over MPI_COMM_WORLD.
void drain_burst(std::size_t message_bytes);

}  // namespace tightwire::calibrate
