#include "mpi/progress/persistent_operation.h"

#include <atomic>
#include <utility>

namespace tightwire::mpi {
namespace {

std::atomic<KeepPersistent> keeper_of_all{nullptr};

}  // namespace

void set_keeper(KeepPersistent keeper) {
  keeper_of_all.store(keeper, std::memory_order_relaxed);
}

bool may_keep_persistent() {
  return keeper_of_all.load(std::memory_order_relaxed) != nullptr;
}

void keep_persistent(MPI_Request handle, std::shared_ptr<PersistentOperation> operation,
                     const CallName& name, MPI_Comm comm) {
  keeper_of_all.load(std::memory_order_relaxed)(handle, std::move(operation), name, comm);
}

}  // namespace tightwire::mpi
