#include "p2p/request/message_handles.h"

#include "mpi/communicator/private/copy.h"
#include "mpi/error.h"
#include "p2p/state/process_wide.h"
#include "p2p/state/self_tags.h"

namespace tightwire::p2p {
namespace {

// An empty message to oneself.
MPI_Message stand_in(MPI_Request& sent) {
  MPI_Comm self = mpi::self().comm;
  MPI_Message handle = MPI_MESSAGE_NULL;
  mpi::check(PMPI_Isend(nullptr, 0, MPI_BYTE, 0, message_handle_tag, self, &sent));
  mpi::check(PMPI_Mprobe(0, message_handle_tag, self, &handle, MPI_STATUS_IGNORE));
  return handle;
}

}  // namespace

MessageHandles& message_handles() {
  return process_wide<MessageHandles>();
}

MPI_Message MessageHandles::keep(Taken taken) {
  const std::scoped_lock lock(mutex_);
  Kept kept{std::move(taken), MPI_REQUEST_NULL};
  MPI_Message handle = kept.taken.is_held() ? kept.taken.message : stand_in(kept.sent);
  // MPI may still write to it.
  mpi::indispensable(
      {"MPI_Improbe", 0, "from", kept.taken.source},
      MPI_COMM_WORLD, [&]() -> auto& { return messages_[handle]; }) = std::move(kept);
  size_.store(messages_.size(), std::memory_order_relaxed);
  return handle;
}

std::optional<Taken> MessageHandles::release(MPI_Message handle) {
  if (!any()) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  const auto found = messages_.find(handle);
  if (found == messages_.end()) return std::nullopt;
  Kept kept = std::move(found->second);
  messages_.erase(found);
  size_.store(messages_.size(), std::memory_order_relaxed);
  if (kept.taken.is_held()) return std::move(kept.taken);
  mpi::check(PMPI_Mrecv(nullptr, 0, MPI_BYTE, &handle, MPI_STATUS_IGNORE));
  mpi::check(PMPI_Wait(&kept.sent, MPI_STATUS_IGNORE));
  return std::move(kept.taken);
}

}  // namespace tightwire::p2p
