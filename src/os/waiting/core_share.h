// Whether the core that a thread computes on is its own, or others have a part of it.
//
// The kernel counts for each thread how long it ran, and how long it could have run and did not
// (/proc/thread-self/schedstat). Numbers of ranks and cores would not tell, since containers and
// batch systems hide cores; nor would processor time alone, since a program may sleep.
#pragma once

#include <optional>
#include <string_view>

namespace tightwire::os {

// Since a thread began, in seconds.
struct ThreadTurns {
  double ran = 0;
  double waited = 0;  // for a core
};

// From a text like /proc/thread-self/schedstat.
[[nodiscard]] std::optional<ThreadTurns> parse_turns(std::string_view text);

// What a thread had of its core of late, since it was asked first. Not thread safe.
class CoreShare {
 public:
  void see(const ThreadTurns& turns);
  // A daemon wants a core now and then: others had a tenth.
  [[nodiscard]] bool is_shared() const;

 private:
  std::optional<ThreadTurns> last_;
  ThreadTurns lately_;
};

// Of the calling thread. False where the kernel does not count. Mostly tens of nanoseconds.
[[nodiscard]] bool core_is_shared();

}  // namespace tightwire::os
