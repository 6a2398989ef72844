#pragma once

namespace tightwire::mpi {

// Now on the own clock, in seconds: what calls are timed by, to choose among their ways.
[[nodiscard]] double own_seconds();

}  // namespace tightwire::mpi
