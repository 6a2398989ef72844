// What a call needs of its communicator before anything is decided: one on which it can be carried
// out otherwise than by MPI.
#pragma once

#include "collective/plan/form.h"
#include "mpi/communicator/communicator.h"
#include "policy/call.h"

namespace tightwire::collective {

struct UsableCommunicator {
  mpi::Communicator* communicator = nullptr;  // nullptr: the call is passed through
  policy::Reason why = policy::Reason::unhandled;
};

// Whether GPUs may carry such calls of this job out; the same on all ranks.
[[nodiscard]] bool may_be_on_devices(const CalledOn& on);

// The same on all ranks. Collective over the communicator the first time, in calls that may wait.
// Throws MpiError.
[[nodiscard]] UsableCommunicator usable_on(const CalledOn& on);

// Whether calls on it are passed through whatever they carry, as was found out before, and nobody
// counts their bytes: nothing else of such a call needs to be looked at. Throws MpiError.
[[nodiscard]] bool passes_all(MPI_Comm comm);

}  // namespace tightwire::collective
