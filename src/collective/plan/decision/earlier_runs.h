// What is learned of calls on a communicator begins with what earlier runs have learned of such
// calls on others of as many ranks and hosts, and is kept for later ones (runtime/lessons.h).
#pragma once

#include "mpi/communicator/communicator.h"
#include "policy/tuning/backoff.h"
#include "policy/tuning/kind_of_call.h"
#include "policy/tuning/online_tuner.h"

namespace tightwire::collective {

// Made at the first call of its kind: the same on all ranks.
[[nodiscard]] policy::OnlineTuner& tuner_of(const mpi::Communicator& communicator,
                                            const policy::KindOfCall& kind);
// Of v-operations. `remembers` and `compares` as policy::Backoff takes them.
[[nodiscard]] policy::Backoff& backoff_of(const mpi::Communicator& communicator,
                                          policy::Operation operation, bool remembers,
                                          bool compares);

// After a tuning round.
void keep(const mpi::Communicator& communicator, const policy::KindOfCall& kind,
          const policy::OnlineTuner& tuner);
void keep(const mpi::Communicator& communicator, policy::Operation operation,
          const policy::Backoff& backoff);

}  // namespace tightwire::collective
