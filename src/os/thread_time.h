// Time that the calling thread has had a core for.
#pragma once

#include <ctime>

namespace tightwire::os {

// Whether others have the core meanwhile says nothing of how long work takes.
[[nodiscard]] inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace tightwire::os
