// How long this rank was inside MPI: the program defines the PMPI_ functions by which Tightwire
// communicates, times them, and calls the next definition.
#pragma once

namespace tightwire::comparison {

void start_mpi_clock();

// Since the clock was started.
[[nodiscard]] double seconds_in_mpi();

}  // namespace tightwire::comparison
