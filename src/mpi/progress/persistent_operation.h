// A collective behind a persistent request of the program's.
//
// Its handle is MPI's own, made with the program's arguments. Whoever stands in front of MPI_Start
// and of the functions that complete requests takes care of it; that is no room of collectives, so
// it says here how it is told (p2p/request/persistent_collective.h).
#pragma once

#include <mpi.h>

#include <memory>

#include "mpi/error.h"
#include "mpi/operation.h"

namespace tightwire::mpi {

class PersistentOperation : public Operation {
 public:
  // As MPI_Start, of an operation that is not under way. Throws MpiError, std::bad_alloc.
  virtual void start() = 0;
  // May be asked several times for one start, and raises what went wrong once.
  [[nodiscard]] Outcome outcome() override = 0;
};

// `name` is of the call that made the request. Without memory the job ends.
using KeepPersistent = void (*)(MPI_Request handle, std::shared_ptr<PersistentOperation> operation,
                                const CallName& name, MPI_Comm comm);

// Set between MPI_Init and MPI_Finalize, where anybody keeps them: the same on all ranks.
void set_keeper(KeepPersistent keeper);
[[nodiscard]] bool may_keep_persistent();
void keep_persistent(MPI_Request handle, std::shared_ptr<PersistentOperation> operation,
                     const CallName& name, MPI_Comm comm);

}  // namespace tightwire::mpi
