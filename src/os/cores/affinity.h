// Affinity masks of threads.
#pragma once

#include <sched.h>

#include <span>

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

// How many cores are left for one of several processes, whose mask is one of `masks`, if each core
// is divided among those that may run on it. 2 of masks 0-3, 0-3; 3 of 0-3, 2-5.
[[nodiscard]] double share_of_cores(const cpu_set_t& mask, std::span<const cpu_set_t> masks);

}  // namespace tightwire::os
