#include "p2p/request/request_list.h"

#include <utility>

#include "mpi/operation.h"
#include "p2p/request/request_table.h"

namespace tightwire::p2p {

RequestList::RequestList(int count, MPI_Request* handles)
    : given_(handles), handles_(handles, handles + count), ours_(handles_.size(), nullptr) {
  for (std::size_t place = 0; place < handles_.size(); ++place) {
    if (handles_[place] == MPI_REQUEST_NULL) continue;
    Request* request = request_table().find(handles_[place]);
    // An inactive one has an inactive request of MPI's for its handle.
    if (request == nullptr || !request->active()) continue;
    ours_[place] = request;
    handles_[place] = MPI_REQUEST_NULL;
    has_ours_ = true;
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
