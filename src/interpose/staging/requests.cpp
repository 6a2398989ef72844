#include "interpose/staging/requests.h"

#include <algorithm>
#include <utility>

#include "p2p/entry/p2p.h"
#include "p2p/lifecycle.h"
#include "runtime/device_traffic.h"
#include "runtime/log.h"

namespace tightwire::staging {
namespace {

// Requests that the program has freed while they were under way.
struct Freed {
  MPI_Request request;
  Requests::Found call;
};
struct FreedRequests {
  std::mutex mutex;
  std::vector<Freed> all;
  std::atomic<std::size_t> number{0};
};

FreedRequests& freed() {
  static auto* const requests = new FreedRequests;
  return *requests;
}

// Then the program has what came; no call is left to tell it of a complaint of the driver's.
bool is_complete(Freed& one) {
  int flag = 0;
  MPI_Status status;
  const int code = p2p::active() ? p2p::test(&one.request, &flag, &status)
                                 : PMPI_Test(&one.request, &flag, &status);
  if (code == MPI_SUCCESS && flag != 0) {
    try {
      one.call->put(status);
    } catch (const BufferError& at) {
      runtime::log(std::string(one.call->function) + ", request freed: " + at.buffer +
                   " lies in the memory of a GPU: " + at.error.text);
    }
  }
  return code != MPI_SUCCESS || flag != 0;
}

bool is_received(const StagedCall& call) {
  return std::ranges::any_of(call.buffers,
                             [](const StagedBuffer& one) { return one.use != Use::sends; });
}

// A persistent one stays, inactive.
void drop(Freed& one) {
  if (one.request != MPI_REQUEST_NULL) {
    p2p::active() ? p2p::request_free(&one.request) : PMPI_Request_free(&one.request);
  }
}

void drop_complete() {
  std::erase_if(freed().all, [](Freed& one) {
    const bool complete = is_complete(one);
    if (complete) drop(one);
    return complete;
  });
  freed().number = freed().all.size();
}

}  // namespace

void Requests::keep(MPI_Request request, StagedCall&& call) {
  keep(request, std::make_shared<StagedCall>(std::move(call)));
}

void Requests::keep(MPI_Request request, const Found& call) {
  const std::scoped_lock lock(mutex_);
  calls_.insert_or_assign(request, call);
  number_ = calls_.size();
}

Requests::Found Requests::find(MPI_Request request) {
  if (!any()) return nullptr;
  const std::scoped_lock lock(mutex_);
  const auto found = calls_.find(request);
  return found == calls_.end() ? nullptr : found->second;
}

Requests::Found Requests::take(MPI_Request request) {
  if (!any()) return nullptr;
  const std::scoped_lock lock(mutex_);
  auto node = calls_.extract(request);
  number_ = calls_.size();
  return node.empty() ? nullptr : std::move(node.mapped());
}

Requests& requests() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const all = new Requests;
  return *all;
}

Completion::Completion(const char* function, int count, const MPI_Request* handles)
    : function_(function), now_(handles) {
  if (!requests().any() || count <= 0 || handles == nullptr) return;
  handles_.assign(handles, handles + count);
  std::vector<Requests::Found> found;
  for (const MPI_Request handle : handles_) found.push_back(requests().take(handle));
  if (std::ranges::any_of(found, [](const auto& one) { return one != nullptr; })) {
    found_ = std::move(found);
  }
}

// MPI_STATUSES_IGNORE and MPI_STATUS_IGNORE are the same in both families.
MPI_Status* Completion::statuses(MPI_Status* given) {
  if (none()) return given;
  statuses_ = given;
  if (given != MPI_STATUS_IGNORE) return given;
  own_.resize(handles_.size());
  statuses_ = own_.data();
  return own_.data();
}

int Completion::complete(std::size_t index, const MPI_Status& status) {
  Requests::Found call = std::exchange(found_[index], nullptr);
  if (call == nullptr) return MPI_SUCCESS;
  if (call->persistent) requests().keep(handles_[index], call);
  return reporting(function_, call->comm, [&] {
    call->put(status);
    return MPI_SUCCESS;
  });
}

// What has failed is complete, too, and its handle gone.
int Completion::keep_rest(int code) {
  look_at_freed();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (found_[i] != nullptr && now_[i] == handles_[i]) requests().keep(handles_[i], found_[i]);
  }
  return code;
}

int Completion::all(int code, int flag) {
  if (none() || (code == MPI_SUCCESS && flag == 0)) return keep_rest(code);
  int problem = code;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const bool fails =
        code != MPI_SUCCESS && (code != MPI_ERR_IN_STATUS || statuses_[i].MPI_ERROR != MPI_SUCCESS);
    if (fails) continue;
    if (const int own = complete(i, statuses_[i]); own != MPI_SUCCESS) problem = own;
  }
  return keep_rest(problem);
}

int Completion::one(int code, int index, int flag) {
  if (none() || code != MPI_SUCCESS || flag == 0 || index == MPI_UNDEFINED) return keep_rest(code);
  return keep_rest(complete(static_cast<std::size_t>(index), *statuses_));
}

int Completion::some(int code, int count, const int* indices) {
  if (none() || count == MPI_UNDEFINED) return keep_rest(code);
  int problem = code;
  for (int i = 0; i < count; ++i) {
    const MPI_Status& status = statuses_[i];
    const bool fails =
        code != MPI_SUCCESS && (code != MPI_ERR_IN_STATUS || status.MPI_ERROR != MPI_SUCCESS);
    if (fails) continue;
    const int own = complete(static_cast<std::size_t>(indices[i]), status);
    if (own != MPI_SUCCESS) problem = own;
  }
  return keep_rest(problem);
}

int fetch_again(const char* function, int count, const MPI_Request* handles) {
  for (int i = 0; i < count && requests().any(); ++i) {
    const Requests::Found call = requests().find(handles[i]);
    if (call == nullptr || !call->persistent) continue;
    const int code = reporting(function, call->comm, [&] {
      ++runtime::device_traffic().calls;
      call->fetch();
      return MPI_SUCCESS;
    });
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int put_early(MPI_Request request, int code, int flag, const MPI_Status& status) {
  if (code != MPI_SUCCESS || flag == 0) return code;
  const Requests::Found call = requests().find(request);
  if (call == nullptr) return code;
  return reporting("MPI_Request_get_status", call->comm, [&] {
    call->put(status);
    return MPI_SUCCESS;
  });
}

bool outlives(MPI_Request* request) {
  if (request == nullptr) return false;
  const Requests::Found call = requests().take(*request);
  if (call == nullptr || !call->under_way) return false;
  const std::scoped_lock lock(freed().mutex);
  drop_complete();
  freed().all.push_back({std::exchange(*request, MPI_REQUEST_NULL), call});
  freed().number = freed().all.size();
  return true;
}

// A callback of the program's that MPI runs meanwhile may call MPI.
void look_at_freed() {
  thread_local bool is_looking = false;
  if (is_looking || freed().number.load(std::memory_order_relaxed) == 0) return;
  is_looking = true;
  {
    const std::scoped_lock lock(freed().mutex);
    drop_complete();
  }
  is_looking = false;
}

// The images of what is dropped stay: MPI may write to them yet.
void finish_freed() {
  const std::scoped_lock lock(freed().mutex);
  drop_complete();
  for (Freed& one : freed().all) {
    if (!is_received(*one.call)) {
      p2p::active() ? p2p::wait(&one.request, MPI_STATUS_IGNORE)
                    : PMPI_Wait(&one.request, MPI_STATUS_IGNORE);
    }
    drop(one);
  }
}

int get_status(MPI_Request request, int* complete, MPI_Status* status) {
  return p2p::active() ? p2p::request_get_status(request, complete, status)
                       : PMPI_Request_get_status(request, complete, status);
}

}  // namespace tightwire::staging
