#include "p2p/request/request_table.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "p2p/state/per_thread.h"
#include "p2p/state/process_wide.h"
#include "p2p/transfer/expected_bytes.h"

namespace tightwire::p2p {

using mpi::indispensable;

namespace {

// Handles are numbers that count up, or addresses.
std::size_t place_of(MPI_Request handle, std::size_t places) {
  const std::size_t number = std::hash<MPI_Request>{}(handle);
  return (number ^ (number >> 6) ^ (number >> 12)) % places;
}

}  // namespace

RequestTable& request_table() {
  return process_wide<RequestTable>();
}

void RequestTable::insert(MPI_Request handle, std::shared_ptr<Request> request,
                          const mpi::CallName& call, MPI_Comm comm) {
  const std::scoped_lock lock(mutex_);
  expected_bytes().fetch_add(request->room(), std::memory_order_relaxed);
  mpi::indispensable(
      call, comm, [&]() -> auto& { return table_[handle]; }) = std::move(request);
  changed();
}

// With the lock held.
void RequestTable::changed() {
  size_.store(table_.size(), std::memory_order_relaxed);
  version_.fetch_add(1, std::memory_order_release);
}

Request* RequestTable::find(MPI_Request handle) const {
  if (!any()) return nullptr;
  const std::scoped_lock lock(mutex_);
  const auto found = table_.find(handle);
  return found == table_.end() ? nullptr : found->second.get();
}

std::shared_ptr<Request> RequestTable::share(MPI_Request handle) const {
  if (!any()) return nullptr;
  const std::scoped_lock lock(mutex_);
  const auto found = table_.find(handle);
  return found == table_.end() ? nullptr : found->second;
}

std::shared_ptr<Request> RequestTable::extract(MPI_Request handle) {
  const std::scoped_lock lock(mutex_);
  const auto found = table_.find(handle);
  if (found == table_.end()) return nullptr;
  std::shared_ptr<Request> request = std::move(found->second);
  expected_bytes().fetch_sub(request->room(), std::memory_order_relaxed);
  table_.erase(found);
  changed();
  return request;
}

void RequestTable::abandon(std::shared_ptr<Request> request) {
  const std::scoped_lock lock(mutex_);
  mpi::indispensable({"MPI_Request_free"}, MPI_COMM_WORLD, [&] { abandoned_.emplace_back(); });
  abandoned_.back() = std::move(request);
}

void RequestTable::reap() {
  const std::scoped_lock lock(mutex_);
  mpi::indispensable({"completing a request"}, MPI_COMM_WORLD, [&] {
    std::erase_if(abandoned_, [](const std::shared_ptr<Request>& request) {
      if (!request->progress(Request::Waiting::no)) return false;
      static_cast<void>(request->outcome());
      return true;
    });
  });
}

void RequestTable::drain() {
  reap();
  const std::scoped_lock lock(mutex_);
  // Receives stay: a message that comes yet must find them, and MPI may write to their memory.
  std::erase_if(abandoned_, [](const std::shared_ptr<Request>& request) {
    if (request->receives()) return false;
    static_cast<void>(complete(*request));
    return true;
  });
}

KnownRequests& known_requests() {
  return per_thread<KnownRequests>();
}

// The version is read before the table: what changes in between makes this out of date at once.
Request* KnownRequests::find(MPI_Request handle) {
  const std::uint64_t version = request_table().version();
  Known& known = singles_[place_of(handle, places)];
  if (known.version != version || known.handle != handle) {
    known = {handle, request_table().find(handle), version};
  }
  return known.request;
}

std::span<Request* const> KnownRequests::find(std::span<const MPI_Request> handles) {
  const std::uint64_t version = request_table().version();
  if (version == version_ && std::ranges::equal(handles, handles_)) return requests_;
  version_ = 0;
  handles_.assign(handles.begin(), handles.end());
  requests_.resize(handles.size());
  std::ranges::transform(handles, requests_.begin(), [](MPI_Request handle) {
    return handle == MPI_REQUEST_NULL ? nullptr : request_table().find(handle);
  });
  version_ = version;
  return requests_;
}

}  // namespace tightwire::p2p
