#include "p2p/request/request_table.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <new>
#include <utility>

#include "p2p/state/per_thread.h"
#include "p2p/state/process_wide.h"

namespace tightwire::p2p {

namespace {

// More than one, so that abandoned sends become fewer.
constexpr std::size_t sends_for_each = 3;

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
  mpi::indispensable(
      call, comm, [&]() -> auto& { return table_[handle]; }) = std::move(request);
  changed();
}

// With the lock held.
void RequestTable::changed() {
  version_.fetch_add(1, std::memory_order_release);
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
  table_.erase(found);
  changed();
  request->extracted();
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
  const auto is_over = [](const std::shared_ptr<Request>& request) {
    if (!request->progress(Request::Waiting::no)) return false;
    static_cast<void>(request->outcome());
    return true;
  };
  LookedAt looked_at = take_abandoned();
  mpi::indispensable({"completing a request"}, MPI_COMM_WORLD, [&] {
    std::erase_if(looked_at.receives, is_over);
    std::erase_if(looked_at.sends, is_over);
  });
  put_back(looked_at);
}

// Those to be looked at next. Nothing is locked meanwhile: what is wrong with a message calls an
// error handler of the program.
RequestTable::LookedAt RequestTable::take_abandoned() {
  const std::scoped_lock lock(mutex_);
  LookedAt taken;
  taken.receives.swap(receives_);
  const std::size_t sends = paced_.begin() ? std::min(sends_for_each, sends_.size()) : 0;
  taken.sends.splice(taken.sends.end(), sends_, sends_.begin(),
                     std::next(sends_.begin(), static_cast<std::ptrdiff_t>(sends)));
  taken.looks_at_sends = sends > 0;
  return taken;
}

// Behind the others.
void RequestTable::put_back(LookedAt& looked_at) {
  const std::scoped_lock lock(mutex_);
  if (looked_at.looks_at_sends) paced_.end();
  receives_.splice(receives_.end(), looked_at.receives);
  sends_.splice(sends_.end(), looked_at.sends);
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

KnownRequests& known_requests() {
  return per_thread<KnownRequests>();
}

Request* find_request(MPI_Request handle) {
  try {
    return known_requests().find(handle);
  } catch (const std::bad_alloc&) {
    return request_table().find(handle);
  }
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
