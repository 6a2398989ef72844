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

// Cores that helpers of this process stand on.
std::array<std::atomic<bool>, CPU_SETSIZE> taken{};

bool take(int core) {
  return !taken[static_cast<std::size_t>(core)].exchange(true, std::memory_order_relaxed);
}

void give_back(int core) {
  taken[static_cast<std::size_t>(core)].store(false, std::memory_order_relaxed);
}

bool stand_on(int core) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(static_cast<std::size_t>(core), &mask);
  return sched_setaffinity(0, sizeof mask, &mask) == 0;
}

}  // namespace

std::vector<CoreTimes> parse_core_times(const char* text, const cpu_set_t& mask) {
  std::vector<CoreTimes> all;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    // cpu3 user nice system idle iowait irq softirq steal ...
    std::array<unsigned long long, 8> ticks{};
    int core = 0;
    const int fields = std::sscanf(  // NOLINT(cert-err34-c): the kernel writes no other numbers
        line.c_str(), "cpu%d %llu %llu %llu %llu %llu %llu %llu %llu", &core, &ticks[0], &ticks[1],
        &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]);
    if (fields != 9 || core < 0 || core >= CPU_SETSIZE) continue;
    if (!CPU_ISSET(static_cast<std::size_t>(core), &mask)) continue;
    const std::uint64_t idle = ticks[3] + ticks[4];
    std::uint64_t busy = 0;
    for (const unsigned long long part : ticks) busy += part;
    all.push_back({core, busy - idle, idle});
  }
  return all;
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
  std::ifstream file("/proc/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<CoreTimes> now = parse_core_times(text.c_str(), mask_);
  const double own = own_time();
  const double own_ticks = (own - own_seconds_) * static_cast<double>(sysconf(_SC_CLK_TCK));
  own_seconds_ = own;

  std::vector<int> spare;
  bool here = false;
  for (const CoreTimes& core : now) {
    const auto before = std::find_if(last_.begin(), last_.end(), [&](const CoreTimes& other) {
      return other.core == core.core;
    });
    if (before == last_.end()) continue;
    auto busy = static_cast<double>(core.busy - before->busy);
    const double all = busy + static_cast<double>(core.idle - before->idle);
    if (core.core == core_) busy = std::max(0.0, busy - own_ticks);
    if (all <= 0 || busy > most_busy * all) continue;
    spare.push_back(core.core);
    here = here || core.core == core_;
  }
  last_ = std::move(now);
  interruptions_.begin();
  if (here) return;
  leave();
  stand_on_one_of(spare);
}

// Ranks of one host that look at the same moment should not all choose the same.
void IdleCore::stand_on_one_of(const std::vector<int>& spare) {
  const auto first = static_cast<std::size_t>(getpid());
  for (std::size_t i = 0; i < spare.size(); ++i) {
    const int core = spare[(first + i) % spare.size()];
    if (!take(core)) continue;
    if (stand_on(core)) {
      core_ = core;
      return;
    }
    give_back(core);
  }
}

void IdleCore::leave() {
  if (core_ >= 0) give_back(core_);
  core_ = -1;
}

}  // namespace tightwire::os
