#include "early/buffer_registry.h"

#include <algorithm>

namespace tightwire::early {
namespace {

// The buffer that was last sent longest ago, among those that `fits` accepts.
template <class Buffers, class Fits>
auto oldest(Buffers& buffers, Fits&& fits) {
  auto found = buffers.end();
  for (auto at = buffers.begin(); at != buffers.end(); ++at) {
    if (at->second->sending > 0 || !fits(*at->second)) continue;
    if (found == buffers.end() || at->second->last_end < found->second->last_end) found = at;
  }
  return found;
}

// A buffer that has not been sent for so long is given back.
constexpr double gaps_until_given_back = 100;
constexpr double least_until_given_back = 5;

bool out_of_use(const Buffer& buffer, Clock::time_point now) {
  const double limit = std::max(least_until_given_back, gaps_until_given_back * buffer.gap);
  return buffer.sending == 0 && seconds(now - buffer.last_end) > limit;
}

bool cut_alike(const Buffer& buffer, std::span<const std::size_t> ends) {
  return std::equal(
      buffer.chunks.begin(), buffer.chunks.end(), ends.begin(), ends.end(),
      [](const Chunk& chunk, std::size_t end) { return chunk.begin + chunk.size == end; });
}

}  // namespace

std::shared_ptr<Buffer> BufferRegistry::known(Bytes values) const {
  const auto found = buffers_.find({address_of(values), values.size()});
  return found == buffers_.end() ? nullptr : found->second;
}

std::shared_ptr<Buffer> BufferRegistry::find(Bytes values) {
  if (std::shared_ptr<Buffer> buffer = known(values)) return buffer;
  if (buffers_.size() >= limits_.buffers && !make_room()) return nullptr;
  auto buffer = std::make_shared<Buffer>(values, limits_.always_track);
  buffers_.emplace(Key{address_of(values), values.size()}, buffer);
  return buffer;
}

bool BufferRegistry::make_room() {
  const auto victim = oldest(buffers_, [](const Buffer& /*any*/) { return true; });
  if (victim == buffers_.end()) return false;
  untrack(*victim->second);
  buffers_.erase(victim);
  return true;
}

void BufferRegistry::set(Buffer& buffer, const codec::Encoding& encoding,
                         std::span<const std::size_t> ends, const Path& path) {
  const bool same = buffer.encoding.codec != nullptr && same_values(buffer.encoding, encoding) &&
                    cut_alike(buffer, ends);
  buffer.encoding = encoding;
  buffer.path = path;
  if (same) return;
  ++buffer.generation;
  buffer.chunks.clear();
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    Chunk& chunk = buffer.chunks.emplace_back();
    chunk.begin = begin;
    chunk.size = end - begin;
    begin = end;
  }
}

bool BufferRegistry::make_room_for(const Buffer& buffer) {
  if (buffer.values.size() > limits_.tracked_bytes) return false;
  while (tracked_bytes_ + buffer.values.size() > limits_.tracked_bytes) {
    // Only what has been out of use for long: buffers in use would displace each other for ever.
    const auto long_ago = Clock::now() - std::chrono::seconds(1);
    const auto victim = oldest(buffers_, [&](const Buffer& other) {
      return other.tracker != nullptr && other.last_end < long_ago;
    });
    if (victim == buffers_.end()) return false;
    untrack(*victim->second);
  }
  return true;
}

bool BufferRegistry::track(Buffer& buffer) {
  if (buffer.tracker != nullptr) return true;
  if (!make_room_for(buffer)) {
    ++statistics.left_alone;
    return false;
  }
  for (std::size_t i = buffer.next_tracker; i < trackers_.all.size(); ++i) {
    Tracker* const tracker = trackers_.all[i].get();
    if (tracker == nullptr || !tracker->watch(buffer.values)) continue;
    buffer.tracker = tracker;
    buffer.next_tracker = i;
    buffer.fault_seconds = 0;
    buffer.quiet_needed = 1;
    buffer.due = Clock::now();
    tracked_bytes_ += buffer.values.size();
    ++statistics.buffers;
    return true;
  }
  ++statistics.left_alone;
  return false;
}

void BufferRegistry::untrack(Buffer& buffer) {
  if (buffer.tracker == nullptr) return;
  buffer.tracker->forget(buffer.values);
  buffer.tracker = nullptr;
  ++buffer.generation;
  tracked_bytes_ -= buffer.values.size();
  for (Chunk& chunk : buffer.chunks) chunk.ready.reset();
}

void BufferRegistry::give_up(Buffer& buffer) {
  untrack(buffer);
  ++statistics.given_up;
  const std::size_t next = buffer.next_tracker + 1;
  // Where contents stay, protection may have cost more than they were worth, or pages have been
  // written to with what they held.
  const bool hope = buffer.trial.hid_anything() || buffer.dirty.partial();
  if (hope && next < trackers_.all.size() && trackers_.all[next] != nullptr) {
    buffer.next_tracker = next;
    buffer.trial.try_again();
  } else {
    buffer.next_tracker = 0;
  }
}

void BufferRegistry::give_back(Clock::time_point now) {
  for (const auto& [key, buffer] : buffers_) {
    if (buffer->tracker != nullptr && out_of_use(*buffer, now)) untrack(*buffer);
  }
}

std::vector<std::shared_ptr<Buffer>> BufferRegistry::tracked() const {
  std::vector<std::shared_ptr<Buffer>> found;
  for (const auto& [key, buffer] : buffers_) {
    if (buffer->tracker != nullptr) found.push_back(buffer);
  }
  return found;
}

}  // namespace tightwire::early
