#include "p2p/messages.h"

#include "collective/failure.h"
#include "p2p/engine.h"

namespace tightwire::p2p {
namespace {

using collective::check;

constexpr int tag = 1;

MPI_Message new_handle() {
  MPI_Comm self = engine().self.comm;
  MPI_Request sent = MPI_REQUEST_NULL;
  MPI_Message handle = MPI_MESSAGE_NULL;
  check(PMPI_Isend(nullptr, 0, MPI_BYTE, 0, tag, self, &sent));
  check(PMPI_Mprobe(0, tag, self, &handle, MPI_STATUS_IGNORE));
  check(PMPI_Request_free(&sent));
  return handle;
}

}  // namespace

MPI_Message Messages::keep(Taken taken) {
  const std::scoped_lock lock(mutex_);
  MPI_Message handle = new_handle();
  messages_.emplace(handle, std::move(taken));
  size_.store(messages_.size(), std::memory_order_relaxed);
  return handle;
}

std::optional<Taken> Messages::release(MPI_Message handle) {
  if (size_.load(std::memory_order_relaxed) == 0) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  const auto found = messages_.find(handle);
  if (found == messages_.end()) return std::nullopt;
  Taken taken = std::move(found->second);
  messages_.erase(found);
  size_.store(messages_.size(), std::memory_order_relaxed);
  check(PMPI_Mrecv(nullptr, 0, MPI_BYTE, &handle, MPI_STATUS_IGNORE));
  return taken;
}

}  // namespace tightwire::p2p
