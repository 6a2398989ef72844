#include "audit/watch.h"

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

}  // namespace tightwire::audit
