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

}  // namespace tightwire::collective
