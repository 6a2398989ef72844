// What this process did when, kept in a ring of fixed size: once it is full the oldest events give
// way. One list for all threads of the process; thread safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tightwire::timeline {

// What an event is about: each gets a colour of its own where it is shown.
enum class Kind : std::uint8_t { call, codec, network };
inline constexpr int no_peer = -1;

struct Event {
  const char* name = "";        // stays as long as the process
  std::uint64_t begin = 0;      // nanoseconds, of the steady clock
  std::uint64_t duration = 0;   // nanoseconds
  std::uint64_t bytes = 0;      // 0: it is about none
  std::int32_t peer = no_peer;  // rank of the job
  std::uint16_t thread = 0;     // 0: the first one that was seen
  Kind kind = Kind::call;
};

namespace detail {
inline std::atomic<bool> active{false};
void keep(Event event);
[[nodiscard]] inline std::uint64_t now() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}
}  // namespace detail

// Whether events are kept; costs one relaxed load.
[[nodiscard]] inline bool active() {
  return detail::active.load(std::memory_order_relaxed);
}

// From here on, in so much memory, what was kept before is forgotten; throws std::bad_alloc. The
// thread that calls it first is the first one.
void start(std::size_t memory);
// No event is kept any more.
void stop();

// What the calling thread is called where it is shown.
void name_thread(const char* name);

// Events by their number, in the order in which they ended: those that are still there.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};
[[nodiscard]] Range kept();
// Those of a part of that range; after stop().
[[nodiscard]] std::vector<Event> read(const Range& range);
// The names of threads, by number.
[[nodiscard]] std::vector<std::string> threads();

// An event as long as its own life, where events are kept.
class Span {
 public:
  Span(const char* name, Kind kind, std::size_t bytes = 0, int peer = no_peer)
      : begin_(active() ? detail::now() : 0),
        name_(name),
        bytes_(bytes),
        peer_(peer),
        kind_(kind) {}
  ~Span() {
    if (begin_ != 0) [[unlikely]]
      end();
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  void end() const {
    detail::keep({name_, begin_, detail::now() - begin_, bytes_, peer_, 0, kind_});
  }

  std::uint64_t begin_;
  const char* name_;
  std::size_t bytes_;
  std::int32_t peer_;
  Kind kind_;
};

}  // namespace tightwire::timeline
