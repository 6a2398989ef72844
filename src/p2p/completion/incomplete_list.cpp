#include "p2p/completion/incomplete_list.h"

#include <algorithm>
#include <utility>

#include "p2p/request/request.h"
#include "p2p/request/request_table.h"
#include "p2p/state/per_thread.h"

namespace tightwire::p2p {

IncompleteList& incomplete_list() {
  return per_thread<IncompleteList>();
}

// Persistent requests may become inactive and active again, unnoticed, and requests that are not
// ours may advance only in calls that may complete them: such lists are looked through each time.
void IncompleteList::remember(const RequestList& list, std::span<const MPI_Request> handles) {
  list_.version = 0;
  list_.busy.clear();
  list_.idle.clear();
  for (int place = 0; place < list.size(); ++place) {
    Request* const ours = list.ours(place);
    const auto index = static_cast<std::size_t>(place);
    if (ours == nullptr && handles[index] == MPI_REQUEST_NULL) continue;
    if (ours == nullptr || ours->persistent() != nullptr) return;
    (ours->waits_for_mpi() ? list_.idle : list_.busy).push_back({ours, index});
  }
  list_.handles.assign(handles.begin(), handles.end());
  list_.next_idle = 0;
  list_.version = request_table().version();
}

// MPI may call the program, whose callbacks may poll lists of their own, complete requests of this
// one, and jump out of this: the list is taken out meanwhile, and looked through if it has changed.
IncompleteList::Look IncompleteList::look(std::span<MPI_Request> handles) {
  if (!is_same(handles)) return {};
  List list = std::exchange(list_, {});
  Look look;
  // Both, so that each is moved on.
  const bool busy = has_busy(list, handles, look);
  const bool idle = has_idle(list, handles, look);
  if (request_table().version() != list.version) return {false, look.has_failed};
  list_ = std::move(list);
  look.is_incomplete = busy || idle;
  return look;
}

bool IncompleteList::is_same(std::span<const MPI_Request> handles) const {
  return list_.version != 0 && list_.version == request_table().version() &&
         std::ranges::equal(handles, list_.handles);
}

bool IncompleteList::has_busy(List& list, std::span<MPI_Request> handles, Look& look) {
  for (std::size_t i = 0; i < list.busy.size() && request_table().version() == list.version;) {
    const Member one = list.busy[i];
    if (progress(*one.request, handles[one.place], look.has_failed)) {
      list.busy[i] = list.busy.back();
      list.busy.pop_back();
    } else {
      ++i;
    }
  }
  return !list.busy.empty();
}

// One after the other from the next on; stops at the first that is idle still.
bool IncompleteList::has_idle(List& list, std::span<MPI_Request> handles, Look& look) {
  while (!list.idle.empty() && request_table().version() == list.version) {
    if (list.next_idle >= list.idle.size()) list.next_idle = 0;
    Member& place = list.idle[list.next_idle];
    const Member one = place;
    const bool done = progress(*one.request, handles[one.place], look.has_failed);
    if (request_table().version() != list.version) break;
    if (!done && one.request->waits_for_mpi()) {
      ++list.next_idle;
      return true;
    }
    if (!done) list.busy.push_back(one);
    place = list.idle.back();
    list.idle.pop_back();
  }
  return false;
}

}  // namespace tightwire::p2p
