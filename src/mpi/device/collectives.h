// Jobs in which nothing is staged (`device=off`): of a collective all ranks must go the same way,
// and a rank knows of its own buffers only. So all collectives are MPI's there.
#pragma once

namespace tightwire::mpi {

// Collective over MPI_COMM_WORLD where `device` is off, else without talking. Throws MpiError.
void agree_on_devices();

// Whether it is such a job, and some process of it may come to have memory of a device; the same on
// all ranks.
[[nodiscard]] bool collectives_are_left_to_mpi();

}  // namespace tightwire::mpi
