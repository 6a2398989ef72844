#include "p2p/request/short_receives.h"

#include "mpi/error.h"
#include "p2p/state/process_wide.h"

namespace tightwire::p2p {

ShortReceives& short_receives() {
  return process_wide<ShortReceives>();
}

void ShortReceives::insert(MPI_Request handle, const ReceiveCall& call, const mpi::CallName& name) {
  const std::scoped_lock lock(mutex_);
  mpi::indispensable(name, call.comm, [&] {
    kept_.insert_or_assign(handle, Kept{call, name.bytes, call.route->shared_from_this()});
  });
  size_.store(kept_.size(), std::memory_order_relaxed);
}

std::optional<ShortReceives::Kept> ShortReceives::find(MPI_Request handle) const {
  const std::scoped_lock lock(mutex_);
  const auto found = kept_.find(handle);
  return found == kept_.end() ? std::nullopt : std::optional(found->second);
}

void ShortReceives::erase(MPI_Request handle) {
  if (!any()) return;
  const std::scoped_lock lock(mutex_);
  kept_.erase(handle);
  size_.store(kept_.size(), std::memory_order_relaxed);
}

}  // namespace tightwire::p2p
