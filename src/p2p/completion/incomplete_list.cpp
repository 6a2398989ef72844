#include "p2p/completion/incomplete_list.h"

#include <algorithm>

#include "p2p/request/request.h"
#include "p2p/request/request_table.h"
#include "p2p/state/per_thread.h"

namespace tightwire::p2p {
namespace {

// Calls `is_complete` for one after the other from `next` on, and forgets those that are; stops at
// the first that is not. False where all are.
template <class T, class IsComplete>
bool has_incomplete(std::vector<T>& all, std::size_t& next, IsComplete&& is_complete) {
  while (!all.empty()) {
    if (next >= all.size()) next = 0;
    if (!is_complete(all[next])) {
      ++next;
      return true;
    }
    all[next] = all.back();
    all.pop_back();
  }
  return false;
}

class Looking {
 public:
  explicit Looking(bool& looking) : looking_(looking) { looking_ = true; }
  ~Looking() { looking_ = false; }
  Looking(const Looking&) = delete;
  Looking& operator=(const Looking&) = delete;

 private:
  bool& looking_;
};

}  // namespace

IncompleteList& incomplete_list() {
  return per_thread<IncompleteList>();
}

// Persistent requests may become inactive and active again, unnoticed, and requests that are not
// ours may advance only in calls that may complete them: such lists are looked through each time.
void IncompleteList::remember(const RequestList& list, std::span<const MPI_Request> handles) {
  if (looking_) return;
  version_ = 0;
  busy_.clear();
  idle_.clear();
  for (int place = 0; place < list.size(); ++place) {
    Request* const ours = list.ours(place);
    const MPI_Request handle = handles[static_cast<std::size_t>(place)];
    if (ours == nullptr && handle == MPI_REQUEST_NULL) continue;
    if (ours == nullptr || ours->persistent() != nullptr) return;
    (ours->waits_for_mpi() ? idle_ : busy_).push_back(ours);
  }
  handles_.assign(handles.begin(), handles.end());
  next_idle_ = 0;
  version_ = request_table().version();
}

bool IncompleteList::is_still(std::span<const MPI_Request> handles) {
  if (looking_ || !is_same(handles)) return false;
  const Looking looking(looking_);
  // Both, so that each is moved on.
  const bool busy = has_busy();
  const bool idle = has_idle();
  return busy || idle;
}

bool IncompleteList::is_same(std::span<const MPI_Request> handles) const {
  return version_ != 0 && version_ == request_table().version() &&
         std::ranges::equal(handles, handles_);
}

bool IncompleteList::has_busy() {
  std::erase_if(busy_, [](Request* request) { return request->progress(Request::Waiting::no); });
  return !busy_.empty();
}

bool IncompleteList::has_idle() {
  return has_incomplete(idle_, next_idle_, [this](Request* request) {
    if (request->progress(Request::Waiting::no)) return true;
    if (request->waits_for_mpi()) return false;
    busy_.push_back(request);
    return true;  // it is no longer idle
  });
}

}  // namespace tightwire::p2p
