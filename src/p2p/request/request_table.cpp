#include "p2p/request/request_table.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "p2p/state/process_wide.h"
#include "p2p/transfer/expected_bytes.h"

namespace tightwire::p2p {

using mpi::indispensable;

namespace {

// More than one, so that abandoned sends become fewer.
constexpr std::size_t sends_for_each = 3;

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
  count();
}

void RequestTable::count() {
  size_.store(table_.size() + receives_.size(), std::memory_order_relaxed);
  any_abandoned_.store(!receives_.empty() || !sends_.empty(), std::memory_order_relaxed);
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
  count();
  return request;
}

void RequestTable::abandon(std::shared_ptr<Request> request) {
  const std::scoped_lock lock(mutex_);
  Abandoned& others = request->receives() ? receives_ : sends_;
  mpi::indispensable({"MPI_Request_free"}, MPI_COMM_WORLD, [&] { others.emplace_back(); });
  others.back() = std::move(request);
  count();
}

void RequestTable::reap() {
  if (!any_abandoned_.load(std::memory_order_relaxed)) return;
  Abandoned looked_at = take_abandoned();
  mpi::indispensable({"completing a request"}, MPI_COMM_WORLD, [&] {
    std::erase_if(looked_at, [](const std::shared_ptr<Request>& request) {
      if (!request->progress(Request::Waiting::no)) return false;
      static_cast<void>(request->outcome());
      return true;
    });
  });
  put_back(looked_at);
}

// Those to be looked at next. Nothing is locked meanwhile: what is wrong with a message calls an
// error handler of the program.
RequestTable::Abandoned RequestTable::take_abandoned() {
  const std::scoped_lock lock(mutex_);
  Abandoned taken;
  const std::size_t sends = std::min(sends_for_each, sends_.size());
  taken.splice(taken.end(), sends_, sends_.begin(),
               std::next(sends_.begin(), static_cast<std::ptrdiff_t>(sends)));
  taken.splice(taken.end(), receives_);
  return taken;
}

// Behind the others.
void RequestTable::put_back(Abandoned& requests) {
  const std::scoped_lock lock(mutex_);
  while (!requests.empty()) {
    Abandoned& others = requests.front()->receives() ? receives_ : sends_;
    others.splice(others.end(), requests, requests.begin());
  }
  count();
}

// Receives stay: a message that comes yet must find them, and MPI may write to their memory.
void RequestTable::drain() {
  reap();
  Abandoned sends;
  {
    const std::scoped_lock lock(mutex_);
    sends.swap(sends_);
    count();
  }
  for (const std::shared_ptr<Request>& request : sends) static_cast<void>(complete(*request));
}

}  // namespace tightwire::p2p
