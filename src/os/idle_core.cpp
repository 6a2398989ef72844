#include "os/idle_core.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

#include "os/affinity.h"

namespace tightwire::os {
namespace {

constexpr auto interval = std::chrono::milliseconds(100);
// Share of an interval in which an idle core may have worked for others.
constexpr double most_busy = 0.15;

double own_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double clock_time() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Where helpers of this process stand, by the first of the siblings.
std::array<std::atomic<bool>, CPU_SETSIZE> taken{};

int first_of(const cpu_set_t& siblings, int core) {
  for (int first = 0; first < core; ++first) {
    if (CPU_ISSET(static_cast<std::size_t>(first), &siblings)) return first;
  }
  return core;
}

bool take(int place) {
  return !taken[static_cast<std::size_t>(place)].exchange(true, std::memory_order_relaxed);
}

void give_back(int place) {
  taken[static_cast<std::size_t>(place)].store(false, std::memory_order_relaxed);
}

std::string contents(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool stand_on(int core) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(static_cast<std::size_t>(core), &mask);
  return sched_setaffinity(0, sizeof mask, &mask) == 0;
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

IdleCore::IdleCore(const cpu_set_t& mask, bool forced) : mask_(mask), forced_(forced) {
  own_seconds_ = own_time();
}

bool IdleCore::available() {
  if (forced_) return cores_in(mask_) > 1;
  if (cores_in(mask_) < 2) return false;
  if (Clock::now() >= next_) {
    measure();
    next_ = Clock::now() + interval;
  }
  interruptions_.resume(clock_time(), own_time());
  return core_ >= 0;
}

bool IdleCore::still_alone() {
  if (forced_) return true;
  if (interruptions_.tolerable(clock_time(), own_time())) return core_ >= 0;
  leave();
  next_ = Clock::now() + interval;
  return false;
}

void IdleCore::measure() {
  ++measurements_;
  std::vector<CoreTimes> now = parse_core_times(contents("/proc/stat").c_str());
  const double own = own_time();
  const double own_ticks = (own - own_seconds_) * static_cast<double>(sysconf(_SC_CLK_TCK));
  own_seconds_ = own;
  const std::vector<int> spare = spare_ones(now, own_ticks);
  last_ = std::move(now);
  interruptions_.begin();
  if (std::ranges::find(spare, core_) != spare.end()) return;
  leave();
  stand_on_one_of(spare);
}

std::vector<int> IdleCore::spare_ones(const std::vector<CoreTimes>& now, double own_ticks) {
  cpu_set_t busy_ones;
  CPU_ZERO(&busy_ones);
  std::vector<int> idle_ones;
  for (const CoreTimes& core : now) {
    const auto before = std::ranges::find(last_, core.core, &CoreTimes::core);
    if (before == last_.end()) continue;
    auto busy = static_cast<double>(core.busy - before->busy);
    const double all = busy + static_cast<double>(core.idle - before->idle);
    if (core.core == core_) busy = std::max(0.0, busy - own_ticks);
    if (all <= 0 || busy > most_busy * all) {
      CPU_SET(static_cast<std::size_t>(core.core), &busy_ones);
    } else if (CPU_ISSET(static_cast<std::size_t>(core.core), &mask_)) {
      idle_ones.push_back(core.core);
    }
  }
  std::erase_if(idle_ones, [&](int core) {
    cpu_set_t busy_siblings;
    CPU_AND(&busy_siblings, &siblings(core), &busy_ones);
    return CPU_COUNT(&busy_siblings) > 0;
  });
  return idle_ones;
}

const cpu_set_t& IdleCore::siblings(int core) {
  const auto known = siblings_.find(core);
  if (known != siblings_.end()) return known->second;
  const std::string file =
      "/sys/devices/system/cpu/cpu" + std::to_string(core) + "/topology/thread_siblings_list";
  return siblings_.emplace(core, parse_core_list(contents(file).c_str())).first->second;
}

// Ranks of one host that look at the same moment should not all choose the same.
void IdleCore::stand_on_one_of(const std::vector<int>& spare) {
  const auto first = static_cast<std::size_t>(getpid());
  for (std::size_t i = 0; i < spare.size(); ++i) {
    const int core = spare[(first + i) % spare.size()];
    const int place = first_of(siblings(core), core);
    if (!take(place)) continue;
    if (stand_on(core)) {
      core_ = core;
      place_ = place;
      return;
    }
    give_back(place);
  }
}

void IdleCore::leave() {
  if (core_ >= 0) give_back(place_);
  core_ = -1;
}

}  // namespace tightwire::os
