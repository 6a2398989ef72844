// Cores that nobody needs, by what each did over an interval.
#pragma once

#include <sched.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace tightwire::os {

struct CoreTimes {
  int core = 0;
  std::uint64_t busy = 0;  // clock ticks
  std::uint64_t idle = 0;
};

// From a text like /proc/stat.
[[nodiscard]] std::vector<CoreTimes> parse_core_times(const char* text);
// From a text such as "0,64" or "0-3,8".
[[nodiscard]] cpu_set_t parse_core_list(const char* text);

// What the thread that asks did itself meanwhile, which is no reason to leave its core.
struct OwnWork {
  int core = -1;  // -1: it stood on none
  double ticks = 0;
};

// Those of the mask that did next to nothing between two readings, as did all with which they share
// their silicon (hyperthreads), in the mask or not. A core of which the first reading tells nothing
// is not spare.
[[nodiscard]] std::vector<int> spare_cores(const std::vector<CoreTimes>& before,
                                           const std::vector<CoreTimes>& now, const cpu_set_t& mask,
                                           const OwnWork& own,
                                           const std::function<cpu_set_t(int core)>& siblings);

}  // namespace tightwire::os
