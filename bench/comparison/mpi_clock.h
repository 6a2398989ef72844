// How long this rank was inside MPI: a library behind Tightwire's defines the PMPI_ functions by
// which it communicates, times them, and calls the next definition. The same of the naps of a wait.
#pragma once

namespace tightwire::comparison {

struct SecondsInMpi {
  double communicate = 0;
  double wait = 0;  // in MPI_Wait, MPI_Test and the like, and asleep between them
};

[[gnu::visibility("default")]] void start_mpi_clock();

// Since the clock was started.
[[nodiscard, gnu::visibility("default")]] SecondsInMpi seconds_in_mpi();

}  // namespace tightwire::comparison
