#include "p2p/requests.h"

#include <utility>

#include "p2p/status.h"

namespace tightwire::p2p {

Outcome Request::complete(const MPI_Status& lead, int code) {
  outgoing.reset();
  copy = {};
  if (code != MPI_SUCCESS || !incoming) return {lead, code};
  return incoming->finish(lead);
}

bool Request::poll() {
  if (companion && !companion->poll()) return false;
  if (outcome) return true;
  int landed = 0;
  MPI_Status lead{};
  const int code = PMPI_Request_get_status(transfer, &landed, &lead);
  if (code != MPI_SUCCESS) {
    // MPICH tells of a failed transfer here, through the error handler; once is enough.
    outcome = Outcome{lead, code};
    return true;
  }
  if (landed == 0) return false;
  // Open MPI tells of it where the request is completed.
  if (!incoming || !incoming->overflown(lead)) outcome = complete(lead, MPI_SUCCESS);
  return true;
}

Outcome Request::wait() {
  const Outcome result = wait_for_transfer();
  if (free_after) PMPI_Request_free(&transfer);
  return result;
}

Outcome Request::wait_for_transfer() {
  if (companion) {
    static_cast<void>(companion->wait());
    companion.reset();
  }
  if (outcome) {
    const Outcome known = *std::exchange(outcome, std::nullopt);
    MPI_Request done = transfer;
    if (known.code != MPI_SUCCESS && (persistent() || free_after)) {
      PMPI_Wait(&done, MPI_STATUS_IGNORE);
    } else if (done != MPI_REQUEST_NULL) {
      known.code == MPI_SUCCESS ? PMPI_Wait(&done, MPI_STATUS_IGNORE) : PMPI_Request_free(&done);
    }
    return known;
  }
  MPI_Status lead{};
  const int code = PMPI_Wait(&transfer, &lead);
  return complete(lead, code);
}

void Requests::insert(MPI_Request handle, std::unique_ptr<Request> request) {
  const std::scoped_lock lock(mutex_);
  table_[handle] = std::move(request);
  size_.store(table_.size(), std::memory_order_relaxed);
}

Request* Requests::find(MPI_Request handle) const {
  const std::scoped_lock lock(mutex_);
  const auto found = table_.find(handle);
  return found == table_.end() ? nullptr : found->second.get();
}

std::unique_ptr<Request> Requests::extract(MPI_Request handle) {
  const std::scoped_lock lock(mutex_);
  const auto found = table_.find(handle);
  if (found == table_.end()) return nullptr;
  std::unique_ptr<Request> request = std::move(found->second);
  table_.erase(found);
  size_.store(table_.size(), std::memory_order_relaxed);
  return request;
}

void Requests::abandon(std::unique_ptr<Request> request) {
  const std::scoped_lock lock(mutex_);
  abandoned_.push_back(std::move(request));
}

void Requests::reap() {
  const std::scoped_lock lock(mutex_);
  std::erase_if(abandoned_, [](const std::unique_ptr<Request>& request) {
    if (!request->poll()) return false;
    static_cast<void>(request->wait());
    return true;
  });
}

void Requests::drain() {
  reap();
  const std::scoped_lock lock(mutex_);
  for (const std::unique_ptr<Request>& request : abandoned_) {
    if (!request->incoming) static_cast<void>(request->wait());
  }
  abandoned_.clear();
}

}  // namespace tightwire::p2p
