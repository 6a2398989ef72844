#include "policy/device/trials.h"

#include <algorithm>

namespace tightwire::policy {

bool DeviceTrials::begin(const Kind& kind) {
  const auto found = pauses_.find(kind);
  if (found == pauses_.end() || found->second.left == 0) return true;
  --found->second.left;
  return false;
}

void DeviceTrials::end(const Kind& kind, bool paid) {
  if (paid) {
    pauses_.erase(kind);
    return;
  }
  if (pauses_.size() >= most_kinds) pauses_.clear();
  Pause& pause = pauses_.try_emplace(kind, Pause{0, shortest}).first->second;
  pause.left = pause.next;
  pause.next = std::min(2 * pause.next, longest);
}

}  // namespace tightwire::policy
