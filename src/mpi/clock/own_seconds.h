#pragma once

namespace tightwire::mpi {

// Now on the own clock, in seconds: what calls are timed by, to choose among their ways.
[[nodiscard]] double own_seconds();

// Seconds that the calling thread has had a core for: whether others have it meanwhile says nothing
// of the machine.
[[nodiscard]] double core_seconds();

}  // namespace tightwire::mpi
