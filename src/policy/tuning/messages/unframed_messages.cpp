#include "policy/tuning/messages/unframed_messages.h"

#include <algorithm>

namespace tightwire::policy {

bool UnframedMessages::begin_told(const MessageKind& kind) {
  const auto found = told_.find(kind);
  if (found == told_.end() || found->second.left == 0) return false;
  --found->second.left;
  return true;
}

void UnframedMessages::Told::gained() {
  *this = {.left = left, .needed = std::min(2 * needed, longest)};
}

UnframedMessages::Told* UnframedMessages::told_of(const MessageKind& kind, bool gains_nothing) {
  const auto found = told_.find(kind);
  if (found != told_.end()) return &found->second;
  return gains_nothing && told_.size() < most_kinds ? &told_[kind] : nullptr;
}

void UnframedMessages::looked_at(const MessageKind& kind, bool gains_nothing) {
  Told* const told = told_of(kind, gains_nothing);
  if (told == nullptr) return;
  if (!gains_nothing) return told->gained();
  if (++told->looks < told->needed) return;
  told->left = told->next;
  told->next = std::min(2 * told->next, longest);
}

void UnframedMessages::begins(const MessageKind& kind, bool gains_nothing) {
  const auto found = told_.find(kind);
  if (gains_nothing && found != told_.end() && found->second.in_vain) looked_at(kind, true);
}

void UnframedMessages::came_to(const MessageKind& kind, bool gains_nothing) {
  Told* const told = told_of(kind, gains_nothing);
  if (told == nullptr) return;
  if (!gains_nothing) told->gained();
  told->in_vain = gains_nothing;
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
