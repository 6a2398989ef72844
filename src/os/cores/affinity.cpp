#include "os/cores/affinity.h"

#include <algorithm>
#include <map>

namespace tightwire::os {

double share_of_cores(const cpu_set_t& mask, std::span<const cpu_set_t> masks) {
  std::map<std::ptrdiff_t, int> cores_by_sharers;  // so that six among three are two
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &mask)) continue;
    ++cores_by_sharers[std::ranges::count_if(
        masks, [&](const cpu_set_t& other) { return CPU_ISSET(core, &other); })];
  }
  double share = 0;
  for (const auto& [sharers, cores] : cores_by_sharers) {
    share += static_cast<double>(cores) / static_cast<double>(std::max<std::ptrdiff_t>(sharers, 1));
  }
  return share;
}

}  // namespace tightwire::os
