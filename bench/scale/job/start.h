// Tightwire's start and end in a simulated rank, as the preload library has them around MPI_Init
// and MPI_Finalize.
#pragma once

namespace tightwire::scale {

// Right after MPI_Init. Ends the job if the settings, which are those of the environment, are bad.
void start();

// Right before MPI_Finalize.
void finish();

}  // namespace tightwire::scale
