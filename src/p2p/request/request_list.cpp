#include "p2p/request/request_list.h"

#include <utility>

#include "mpi/operation.h"
#include "p2p/request/request_table.h"
#include "p2p/request/unmatched_receives.h"

namespace tightwire::p2p {

RequestList::RequestList(int count, MPI_Request* handles)
    : given_(handles), handles_(handles, handles + count), ours_(handles_.size(), nullptr) {
  for (std::size_t place = 0; place < handles_.size(); ++place) {
    if (handles_[place] == MPI_REQUEST_NULL) continue;
    Request* request = request_table().find(handles_[place]);
    // An inactive one has an inactive request of MPI's for its handle.
    if (request == nullptr || !request->active()) {
      has_others_ = true;
      continue;
    }
    ours_[place] = request;
    handles_[place] = MPI_REQUEST_NULL;
    has_ours_ = true;
  }
}

void RequestList::advance_others() {
  if (!has_others()) return;
  statuses_.resize(handles_.size() + 1);
  MPI_Request& unmatched = handles_.emplace_back(unmatched_receives().take());
  int done = 0;
  const int code = PMPI_Testall(size() + 1, handles_.data(), &done, statuses_.data());
  unmatched_receives().put_back(unmatched);
  handles_.pop_back();
  if (code != MPI_SUCCESS) keep_outcomes();
}

void RequestList::keep_outcomes() {
  known_.resize(ours_.size());
  for (std::size_t place = 0; place < known_.size(); ++place) {
    const MPI_Status& status = statuses_[place];
    if (ours_[place] != nullptr || given_[place] == MPI_REQUEST_NULL || known_[place]) continue;
    if (status.MPI_ERROR != MPI_ERR_PENDING) known_[place] = {status, status.MPI_ERROR};
  }
}

void RequestList::take_back_others() {
  for (std::size_t place = 0; place < handles_.size(); ++place) {
    if (ours_[place] == nullptr) given_[place] = handles_[place];
  }
}

bool RequestList::progress(int place) {
  Request& request = *ours(place);
  if (request.persistent() != nullptr) return request.progress(Request::Waiting::no);
  const MPI_Request handle = std::exchange(given_[place], MPI_REQUEST_NULL);
  const bool done = request.progress(Request::Waiting::no);
  given_[place] = handle;
  return done;
}

mpi::Outcome RequestList::finish(int place) {
  Request*& request = ours_[static_cast<std::size_t>(place)];
  if (request->persistent() != nullptr) return complete(*request);
  const std::shared_ptr<Request> own = request_table().extract(given_[place]);
  given_[place] = MPI_REQUEST_NULL;
  return complete(*own);
}

}  // namespace tightwire::p2p
