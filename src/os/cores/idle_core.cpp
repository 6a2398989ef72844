#include "os/cores/idle_core.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "os/cores/affinity.h"

namespace tightwire::os {
namespace {

constexpr auto interval = std::chrono::milliseconds(100);

double own_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double clock_time() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int first_of(const cpu_set_t& siblings, int core) {
  for (int first = 0; first < core; ++first) {
    if (CPU_ISSET(static_cast<std::size_t>(first), &siblings)) return first;
  }
  return core;
}

std::string contents(const std::filesystem::path& file) {
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

IdleCore::IdleCore(const cpu_set_t& mask, bool forced, CoreLeases& leases,
                   std::filesystem::path root)
    : mask_(mask), forced_(forced), leases_(leases), root_(std::move(root)) {
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
  std::vector<CoreTimes> now = parse_core_times(contents(root_ / "proc/stat").c_str());
  const double own = own_time();
  const double own_ticks = (own - own_seconds_) * static_cast<double>(sysconf(_SC_CLK_TCK));
  own_seconds_ = own;
  const std::vector<int> spare = spare_cores(last_, now, mask_, {core_, own_ticks},
                                             [this](int core) { return siblings(core); });
  last_ = std::move(now);
  interruptions_.begin();
  if (std::ranges::find(spare, core_) != spare.end()) return;
  leave();
  stand_on_one_of(spare);
}

const cpu_set_t& IdleCore::siblings(int core) {
  const auto known = siblings_.find(core);
  if (known != siblings_.end()) return known->second;
  const auto file = root_ / "sys/devices/system/cpu" / ("cpu" + std::to_string(core)) /
                    "topology/thread_siblings_list";
  return siblings_.emplace(core, parse_core_list(contents(file).c_str())).first->second;
}

// Ranks of one host that look at the same moment should not all choose the same.
void IdleCore::stand_on_one_of(const std::vector<int>& spare) {
  const auto first = static_cast<std::size_t>(getpid());
  for (std::size_t i = 0; i < spare.size(); ++i) {
    const int core = spare[(first + i) % spare.size()];
    const int place = first_of(siblings(core), core);
    if (!leases_.take(place)) continue;
    if (stand_on(core)) {
      core_ = core;
      place_ = place;
      return;
    }
    leases_.give_back(place);
  }
}

void IdleCore::leave() {
  if (core_ >= 0) leases_.give_back(place_);
  core_ = -1;
}

}  // namespace tightwire::os
