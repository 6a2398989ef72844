#include "policy/tuning/unframed_messages.h"

#include <algorithm>

namespace tightwire::policy {

bool UnframedMessages::begin_told(const MessageKind& kind) {
  const auto found = told_.find(kind);
  if (found == told_.end() || found->second.left == 0) return false;
  --found->second.left;
  return true;
}

void UnframedMessages::looked_at(const MessageKind& kind, bool gains_nothing) {
  if (!told_.contains(kind) && (!gains_nothing || told_.size() >= most_kinds)) return;
  Told& told = told_[kind];
  if (!gains_nothing) {
    told = {.needed = std::min(2 * told.needed, longest)};
    return;
  }
  if (++told.looks < told.needed) return;
  told.left = told.next;
  told.next = std::min(2 * told.next, longest);
}

bool UnframedMessages::is_next_told(const MessageKind& kind) const {
  const auto found = told_.find(kind);
  return found != told_.end() && found->second.left > 0;
}

NextMessage UnframedMessages::expected(const MessageKind& kind) const {
  const auto found = expected_.find(kind);
  return found == expected_.end() ? NextMessage::in_frames : found->second;
}

void UnframedMessages::expect(const MessageKind& kind, NextMessage next) {
  if (next == NextMessage::in_frames) {
    expected_.erase(kind);
  } else {
    expected_[kind] = next;
  }
}

}  // namespace tightwire::policy
