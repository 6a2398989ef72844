#include "p2p/request/request_list.h"

#include <sched.h>

#include "p2p/engine.h"

namespace tightwire::p2p {

RequestList::RequestList(int count, MPI_Request* handles)
    : given_(handles), handles_(handles, handles + count), ours_(handles_.size(), nullptr) {
  for (std::size_t place = 0; place < handles_.size(); ++place) {
    if (handles_[place] == MPI_REQUEST_NULL) continue;
    Request* request = engine().requests.find(handles_[place]);
    // An inactive one has an inactive request of MPI's for its handle.
    if (request == nullptr || !request->active) continue;
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

mpi::Outcome RequestList::finish(int place) {
  Request*& request = ours_[static_cast<std::size_t>(place)];
  if (request->persistent()) {
    mpi::Outcome outcome = request->wait();
    request->active = false;
    return outcome;
  }
  const std::unique_ptr<Request> own = engine().requests.extract(given_[place]);
  given_[place] = MPI_REQUEST_NULL;
  return own->wait();
}

MPI_Status empty_status() {
  MPI_Status status{};
  MPI_Request none = MPI_REQUEST_NULL;
  PMPI_Wait(&none, &status);
  return status;
}

void SpinThenYield::pause() {
  constexpr int eager = 100;
  if (++looks_ > eager) sched_yield();
}

}  // namespace tightwire::p2p
