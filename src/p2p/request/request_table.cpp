#include "p2p/request/request_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "p2p/state/process_wide.h"
#include "p2p/transfer/expected_bytes.h"

namespace tightwire::p2p {

using mpi::indispensable;

RequestTable& request_table() {
  return process_wide<RequestTable>();
}

void RequestTable::insert(MPI_Request handle, std::shared_ptr<Request> request,
                          const mpi::CallName& call, MPI_Comm comm) {
  const std::scoped_lock lock(mutex_);
  expected_bytes().fetch_add(request->room(), std::memory_order_relaxed);
  mpi::indispensable(
      call, comm, [&]() -> auto& { return table_[handle]; }) = std::move(request);
  size_.store(table_.size(), std::memory_order_relaxed);
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
  size_.store(table_.size(), std::memory_order_relaxed);
  return request;
}

void RequestTable::abandon(std::shared_ptr<Request> request) {
  const std::scoped_lock lock(mutex_);
  mpi::indispensable({"MPI_Request_free"}, MPI_COMM_WORLD, [&] { abandoned_.emplace_back(); });
  abandoned_.back() = std::move(request);
}

namespace {

bool is_over(Request& request) {
  if (!request.progress(Request::Waiting::no)) return false;
  static_cast<void>(request.outcome());
  return true;
}

}  // namespace

// Without the lock while error handlers may run, which are the program's and may call MPI.
void RequestTable::reap() {
  mpi::indispensable({"completing a request"}, MPI_COMM_WORLD, [&] {
    std::vector<std::shared_ptr<Request>> requests = take_abandoned();
    if (requests.empty()) return;
    try {
      for (std::shared_ptr<Request>& request : requests) {
        if (is_over(*request)) request.reset();
      }
    } catch (...) {
      put_back_abandoned(requests);
      throw;
    }
    put_back_abandoned(requests);
  });
}

std::vector<std::shared_ptr<Request>> RequestTable::take_abandoned() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(abandoned_, {});
}

void RequestTable::put_back_abandoned(const std::vector<std::shared_ptr<Request>>& requests) {
  const std::scoped_lock lock(mutex_);
  std::ranges::copy_if(requests, std::back_inserter(abandoned_),
                       [](const std::shared_ptr<Request>& request) { return request != nullptr; });
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

}  // namespace tightwire::p2p
