#include "p2p/completion/incomplete_list.h"

#include <algorithm>
#include <utility>

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

}  // namespace

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

// MPI may call the program, whose callbacks may poll lists of their own, and jump out of this: the
// list is taken out meanwhile.
IncompleteList::Look IncompleteList::look(std::span<MPI_Request> handles) {
  if (!is_same(handles)) return {};
  List list = std::exchange(list_, {});
  Look look;
  // Both, so that each is moved on.
  const bool busy = has_busy(list, handles, look);
  const bool idle = has_idle(list, handles, look);
  list_ = std::move(list);
  look.is_incomplete = busy || idle;
  return look;
}

bool IncompleteList::is_same(std::span<const MPI_Request> handles) const {
  return list_.version != 0 && list_.version == request_table().version() &&
         std::ranges::equal(handles, list_.handles);
}

bool IncompleteList::has_busy(List& list, std::span<MPI_Request> handles, Look& look) {
  std::erase_if(list.busy, [&](const Member& one) {
    return progress(*one.request, handles[one.place], look.has_failed);
  });
  return !list.busy.empty();
}

bool IncompleteList::has_idle(List& list, std::span<MPI_Request> handles, Look& look) {
  return has_incomplete(list.idle, list.next_idle, [&](const Member& one) {
    if (progress(*one.request, handles[one.place], look.has_failed)) return true;
    if (one.request->waits_for_mpi()) return false;
    list.busy.push_back(one);
    return true;  // it is no longer idle
  });
}

}  // namespace tightwire::p2p
