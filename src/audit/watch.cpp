#include "audit/watch.h"

#include <algorithm>

namespace tightwire::audit {

bool Watch::meets(const Channel& channel) {
  const bool met = channel == channel_;
  others_ = met ? 0 : others_ + 1;
  return met;
}

void Watch::keep(std::span<const std::byte> part) {
  std::vector<std::byte> room;
  if (is_full()) {
    room = std::move(parts_.back());
    parts_.pop_back();
  }
  room.assign(part.begin(), part.end());
  parts_.push_front(std::move(room));
}

std::vector<std::span<const std::byte>> Watch::parts(std::size_t size) const {
  std::vector<std::span<const std::byte>> parts;
  for (const auto& part : parts_) {
    if (part.size() != size) break;
    parts.emplace_back(part);
  }
  return parts;
}

Watch* Watches::at_message(const void* kind) {
  ++messages_;
  const auto found = watches_.find(kind);
  if (found == watches_.end()) return nullptr;
  found->second.last_message = messages_;
  return &found->second.watch;
}

void Watches::begin(const void* kind, const Watch& watch, std::span<const std::byte> part) {
  if (!has_room()) return;
  watches_.try_emplace(kind, Begun{watch, messages_}).first->second.watch.keep(part);
}

bool Watches::has_room() {
  if (watches_.size() < most) return true;
  const auto stalest = std::ranges::min_element(
      watches_, {}, [](const auto& each) { return each.second.last_message; });
  if (messages_ - stalest->second.last_message < most_idle) return false;
  watches_.erase(stalest);
  return true;
}

}  // namespace tightwire::audit
