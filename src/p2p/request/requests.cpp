#include "p2p/request/requests.h"

#include <utility>

#include "mpi/status.h"
#include "p2p/request/request_list.h"

namespace tightwire::p2p {

using mpi::indispensable;

namespace {

std::size_t room_of(const Request& request) {
  return request.incoming && !request.persistent() ? request.incoming->room() : 0;
}

}  // namespace

void Request::land(const MPI_Status& lead) {
  outgoing.reset();
  copy = {};
  if (incoming) {
    incoming->land(lead);
    streaming = true;
  } else {
    outcome = mpi::Outcome{lead, MPI_SUCCESS};
  }
}

bool Request::settle(bool wait) {
  if (!streaming) return true;
  if (!incoming->advance(wait)) return false;
  streaming = false;
  outcome = incoming->outcome();
  return true;
}

bool Request::poll() {
  if (companion && !companion->poll()) return false;
  if (outcome) return true;
  if (partitioned) return poll_partitions();
  if (streaming) return settle(false);
  int landed = 0;
  MPI_Status lead{};
  const int code = PMPI_Request_get_status(transfer, &landed, &lead);
  if (code != MPI_SUCCESS) {
    // MPICH tells of a failed transfer here, through the error handler; once is enough.
    outcome = mpi::Outcome{lead, code};
    return true;
  }
  if (landed == 0) return false;
  // Open MPI tells of it where the request is completed.
  if (incoming && incoming->overflown(lead)) return true;
  land(lead);
  return settle(false);
}

bool Request::poll_partitions() {
  if (!partitioned->poll()) return false;
  outcome = partitioned->outcome();
  return true;
}

mpi::Outcome Request::wait() {
  if (companion) {
    static_cast<void>(companion->wait());
    companion.reset();
  }
  const mpi::Outcome result = wait_for_transfer();
  if (free_after) PMPI_Request_free(&transfer);
  return result;
}

mpi::Outcome Request::wait_for_transfer() {
  settle(true);
  for (SpinThenYield patience; partitioned && !poll();) patience.pause();
  if (outcome) return release(*std::exchange(outcome, std::nullopt));
  MPI_Status lead{};
  const int code = PMPI_Wait(&transfer, &lead);
  if (code != MPI_SUCCESS) {
    outgoing.reset();
    return {lead, code};
  }
  land(lead);
  settle(true);
  return *std::exchange(outcome, std::nullopt);
}

// MPI still holds a transfer whose outcome is known.
mpi::Outcome Request::release(const mpi::Outcome& known) {
  MPI_Request done = transfer;
  const bool kept = persistent() || free_after;
  if (known.code == MPI_SUCCESS || kept) {
    PMPI_Wait(&done, MPI_STATUS_IGNORE);
  } else if (done != MPI_REQUEST_NULL) {
    PMPI_Request_free(&done);
  }
  return known;
}

void Requests::insert(MPI_Request handle, std::unique_ptr<Request> request,
                      const mpi::CallName& call, MPI_Comm comm) {
  const std::scoped_lock lock(mutex_);
  expected_.fetch_add(room_of(*request), std::memory_order_relaxed);
  mpi::indispensable(
      call, comm, [&]() -> auto& { return table_[handle]; }) = std::move(request);
  size_.store(table_.size(), std::memory_order_relaxed);
}

Request* Requests::find(MPI_Request handle) const {
  const std::scoped_lock lock(mutex_);
  const auto found = table_.find(handle);
  return found == table_.end() ? nullptr : found->second.get();
}

std::shared_ptr<Partitioned> Requests::partitioned(MPI_Request handle) const {
  const std::scoped_lock lock(mutex_);
  const auto found = table_.find(handle);
  return found == table_.end() ? nullptr : found->second->partitioned;
}

std::unique_ptr<Request> Requests::extract(MPI_Request handle) {
  const std::scoped_lock lock(mutex_);
  const auto found = table_.find(handle);
  if (found == table_.end()) return nullptr;
  std::unique_ptr<Request> request = std::move(found->second);
  expected_.fetch_sub(room_of(*request), std::memory_order_relaxed);
  table_.erase(found);
  size_.store(table_.size(), std::memory_order_relaxed);
  return request;
}

void Requests::abandon(std::unique_ptr<Request> request) {
  const std::scoped_lock lock(mutex_);
  mpi::indispensable({"MPI_Request_free"}, MPI_COMM_WORLD, [&] { abandoned_.emplace_back(); });
  abandoned_.back() = std::move(request);
}

void Requests::reap() {
  const std::scoped_lock lock(mutex_);
  mpi::indispensable({"completing a request"}, MPI_COMM_WORLD, [&] {
    std::erase_if(abandoned_, [](const std::unique_ptr<Request>& request) {
      if (!request->poll()) return false;
      static_cast<void>(request->wait());
      return true;
    });
  });
}

void Requests::drain() {
  reap();
  const std::scoped_lock lock(mutex_);
  for (const std::unique_ptr<Request>& request : abandoned_) {
    if (!request->receives()) static_cast<void>(request->wait());
  }
  abandoned_.clear();
}

}  // namespace tightwire::p2p
