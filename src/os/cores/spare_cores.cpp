#include "os/cores/spare_cores.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <string>

namespace tightwire::os {
namespace {

// Share of an interval in which an idle core may have worked for others.
constexpr double most_busy = 0.15;

bool is_idle(const CoreTimes& before, const CoreTimes& now, double own_ticks) {
  const double busy = std::max(0.0, static_cast<double>(now.busy - before.busy) - own_ticks);
  const auto all = static_cast<double>(now.busy - before.busy + now.idle - before.idle);
  return all > 0 && busy <= most_busy * all;
}

bool any_of_both(const cpu_set_t& one, const cpu_set_t& other) {
  cpu_set_t both;
  CPU_AND(&both, &one, &other);
  return CPU_COUNT(&both) > 0;
}

}  // namespace

std::vector<CoreTimes> parse_core_times(const char* text) {
  std::vector<CoreTimes> all;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    // cpu3 user nice system idle iowait irq softirq steal ...; "cpu " has the sums of all.
    if (line.starts_with("cpu ")) continue;
    std::array<unsigned long long, 8> ticks{};
    int core = 0;
    const int fields = std::sscanf(  // NOLINT(cert-err34-c): the kernel writes no other numbers
        line.c_str(), "cpu%d %llu %llu %llu %llu %llu %llu %llu %llu", &core, &ticks[0], &ticks[1],
        &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]);
    if (fields != 9 || core < 0 || core >= CPU_SETSIZE) continue;
    const std::uint64_t idle = ticks[3] + ticks[4];
    std::uint64_t busy = 0;
    for (const unsigned long long part : ticks) busy += part;
    all.push_back({core, busy - idle, idle});
  }
  return all;
}

cpu_set_t parse_core_list(const char* text) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  std::istringstream ranges(text);
  std::string range;
  while (std::getline(ranges, range, ',')) {
    int first = 0;
    int last = 0;
    const int fields =
        std::sscanf(range.c_str(), "%d-%d", &first, &last);  // NOLINT(cert-err34-c): as above
    if (fields < 1) continue;
    if (fields == 1) last = first;
    for (int core = std::max(first, 0); core <= std::min(last, CPU_SETSIZE - 1); ++core) {
      CPU_SET(static_cast<std::size_t>(core), &cores);
    }
  }
  return cores;
}

std::vector<int> spare_cores(const std::vector<CoreTimes>& before,
                             const std::vector<CoreTimes>& now, const cpu_set_t& mask,
                             const OwnWork& own,
                             const std::function<cpu_set_t(int core)>& siblings) {
  cpu_set_t busy_ones;
  CPU_ZERO(&busy_ones);
  std::vector<int> idle_ones;
  for (const CoreTimes& core : now) {
    const auto known = std::ranges::find(before, core.core, &CoreTimes::core);
    if (known == before.end()) continue;
    const auto index = static_cast<std::size_t>(core.core);
    if (!is_idle(*known, core, core.core == own.core ? own.ticks : 0)) {
      CPU_SET(index, &busy_ones);
    } else if (CPU_ISSET(index, &mask)) {
      idle_ones.push_back(core.core);
    }
  }
  std::erase_if(idle_ones, [&](int core) { return any_of_both(siblings(core), busy_ones); });
  return idle_ones;
}

}  // namespace tightwire::os
