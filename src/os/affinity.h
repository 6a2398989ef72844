// Affinity masks of threads.
#pragma once

#include <sched.h>

namespace tightwire::os {

// Of the calling thread. Empty if the system does not tell, as on machines of over 1024 cores.
[[nodiscard]] inline cpu_set_t affinity_mask() noexcept {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) CPU_ZERO(&mask);
  return mask;
}

[[nodiscard]] inline unsigned cores_in(const cpu_set_t& mask) noexcept {
  return static_cast<unsigned>(CPU_COUNT(&mask));
}

}  // namespace tightwire::os
