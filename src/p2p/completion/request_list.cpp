#include "p2p/completion/request_list.h"

#include <span>
#include <utility>

#include "mpi/error.h"
#include "mpi/operation.h"
#include "mpi/status.h"
#include "p2p/completion/unmatched_receives.h"
#include "p2p/request/request_table.h"
#include "p2p/state/partitioned_in_use.h"

namespace tightwire::p2p {

RequestList::RequestList(int count, MPI_Request* handles)
    : given_(handles),
      handles_(handles, handles + count),
      ours_(handles_.size(), nullptr),
      is_other_(handles_.size(), false) {
  const std::span<Request* const> found = known_requests().find(handles_);
  for (std::size_t place = 0; place < handles_.size(); ++place) {
    if (handles_[place] == MPI_REQUEST_NULL) continue;
    Request* const request = found[place];
    if (request == nullptr || request->left_to_mpi()) {
      is_other_[place] = true;
      has_others_ = true;
      continue;
    }
    // An inactive one counts as none. Open MPI must not see its own request for it, which has never
    // been active: where another one fails, it frees those in which memory happens to hold an
    // error.
    handles_[place] = MPI_REQUEST_NULL;
    has_persistent_ = has_persistent_ || request->persistent() != nullptr;
    if (!request->active()) continue;
    ours_[place] = request;
    has_ours_ = true;
  }
}

void RequestList::advance_others() {
  if (!has_others()) return;
  if (partitioned_in_use) return look_at_others();
  statuses_.resize(handles_.size() + 1);
  MPI_Request& unmatched = handles_.emplace_back(unmatched_receives().take());
  int done = 0;
  const int code = PMPI_Testall(size() + 1, handles_.data(), &done, statuses_.data());
  unmatched_receives().put_back(unmatched);
  handles_.pop_back();
  if (code != MPI_SUCCESS) keep_outcomes();
}

void RequestList::complete_some_others() {
  if (!has_others()) return;
  if (partitioned_in_use) return look_at_others();
  std::vector<int> places(handles_.size());
  statuses_.resize(handles_.size());
  int found = 0;
  const int code = PMPI_Testsome(size(), handles_.data(), &found, places.data(), statuses_.data());
  take_back_others();
  if (found == MPI_UNDEFINED) has_others_ = false;
  if (found == MPI_UNDEFINED || found == 0) return;
  for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i) {
    know(places[i], statuses_[i], code == MPI_SUCCESS ? MPI_SUCCESS : statuses_[i].MPI_ERROR);
  }
}

void RequestList::look_at_others() {
  for (const MPI_Request handle : handles_) {
    int done = 0;
    if (handle == MPI_REQUEST_NULL) continue;
    mpi::check(PMPI_Request_get_status(handle, &done, MPI_STATUS_IGNORE));
  }
}

void RequestList::keep_outcomes() {
  for (int place = 0; place < size(); ++place) {
    const MPI_Status& status = statuses_[static_cast<std::size_t>(place)];
    if (!is_other(place) || known(place) || status.MPI_ERROR == MPI_ERR_PENDING) continue;
    know(place, status, status.MPI_ERROR);
    given_[place] = handles_[static_cast<std::size_t>(place)];
  }
}

void RequestList::know(int place, const MPI_Status& status, int code) {
  known_.resize(ours_.size());
  known_[static_cast<std::size_t>(place)] = {status, code};
}

void RequestList::take_back_others() {
  for (std::size_t place = 0; place < handles_.size(); ++place) {
    if (is_other_[place]) given_[place] = handles_[place];
  }
}

bool RequestList::progress(int place) {
  return p2p::progress(*ours(place), given_[place], has_failed_);
}

mpi::Outcome RequestList::finish(int place) {
  ours(place)->mute(has_failed_);
  const mpi::Outcome outcome = p2p::finish(*ours(place), given_[place]);
  has_failed_ = has_failed_ || outcome.code != MPI_SUCCESS;
  return outcome;
}

Request* find_active(const MPI_Request* handle) {
  if (!request_table().any() || handle == nullptr) return nullptr;
  Request* const request = find_request(*handle);
  return request != nullptr && request->active() ? request : nullptr;
}

bool has_none_of_ours(int count) {
  return count < 1 || !request_table().any();
}

bool progress(Request& request, MPI_Request& handle) {
  if (request.persistent() != nullptr) return request.progress(Request::Waiting::no);
  const MPI_Request known = std::exchange(handle, MPI_REQUEST_NULL);
  const bool done = request.progress(Request::Waiting::no);
  handle = known;
  return done;
}

bool progress(Request& request, MPI_Request& handle, bool& has_failed) {
  request.mute(has_failed);
  const bool done = progress(request, handle);
  request.mute(false);
  if (!done) return false;
  has_failed = has_failed || request.peek().code != MPI_SUCCESS;
  return true;
}

mpi::Outcome finish(Request& request, MPI_Request& handle) {
  if (request.persistent() != nullptr) return complete(request);
  const std::shared_ptr<Request> own = request_table().extract(handle);
  handle = MPI_REQUEST_NULL;
  return complete(*own);
}

int finish(Request& request, MPI_Request& handle, MPI_Status* status) {
  const mpi::Outcome outcome = finish(request, handle);
  mpi::give(outcome.status, status);
  return outcome.code;
}

}  // namespace tightwire::p2p
