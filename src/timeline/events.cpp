#include "timeline/events.h"

#include <algorithm>
#include <mutex>

namespace tightwire::timeline {
namespace {

constexpr std::size_t most_events = std::size_t{1} << 30;

struct Ring {
  std::mutex mutex;
  std::vector<Event> events;
  std::uint64_t kept = 0;  // ever
  std::vector<std::string> threads;
};

Ring& ring() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const ring = new Ring;
  return *ring;
}

constexpr std::uint16_t unknown = 0xFFFF;
[[gnu::tls_model("initial-exec")]] thread_local std::uint16_t own_number = unknown;

// With the mutex held.
std::uint16_t number_of_thread(Ring& ring) {
  if (own_number != unknown) return own_number;
  if (ring.threads.size() < unknown - 1U) {
    const std::size_t number = ring.threads.size();
    ring.threads.push_back(number == 0 ? "main" : "thread " + std::to_string(number));
  }
  own_number = static_cast<std::uint16_t>(ring.threads.size() - 1);
  return own_number;
}

}  // namespace

void detail::keep(Event event) {
  if (!timeline::active()) return;
  Ring& ring = timeline::ring();
  const std::scoped_lock lock(ring.mutex);
  event.thread = number_of_thread(ring);
  ring.events[ring.kept++ % ring.events.size()] = event;
}

void start(std::size_t memory) {
  Ring& ring = timeline::ring();
  const std::scoped_lock lock(ring.mutex);
  ring.kept = 0;
  ring.events.resize(std::clamp<std::size_t>(memory / sizeof(Event), 1, most_events));
  static_cast<void>(number_of_thread(ring));
  detail::active.store(true, std::memory_order_release);
}

void stop() {
  detail::active.store(false, std::memory_order_release);
}

void name_thread(const char* name) {
  if (!active()) return;
  Ring& ring = timeline::ring();
  const std::scoped_lock lock(ring.mutex);
  ring.threads[number_of_thread(ring)] = name;
}

Range kept() {
  Ring& ring = timeline::ring();
  const std::scoped_lock lock(ring.mutex);
  const std::uint64_t size = ring.events.size();
  return {ring.kept > size ? ring.kept - size : 0, ring.kept};
}

std::vector<Event> read(const Range& range) {
  Ring& ring = timeline::ring();
  const std::scoped_lock lock(ring.mutex);
  std::vector<Event> events;
  for (std::uint64_t i = range.first; i < range.end; ++i) {
    events.push_back(ring.events[i % ring.events.size()]);
  }
  return events;
}

std::vector<std::string> threads() {
  Ring& ring = timeline::ring();
  const std::scoped_lock lock(ring.mutex);
  return ring.threads;
}

}  // namespace tightwire::timeline
