// How long this rank was inside MPI: a library behind Tightwire's defines the PMPI_ functions by
// which it communicates, times them, and calls the next definition.
#pragma once

namespace tightwire::comparison {

[[gnu::visibility("default")]] void start_mpi_clock();

// Since the clock was started.
[[nodiscard, gnu::visibility("default")]] double seconds_in_mpi();

}  // namespace tightwire::comparison
