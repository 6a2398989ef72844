// A core that the process may use and nobody else needs.
//
// By measurement: a core of the mask is spare if over the last interval it did nothing, the
// helper's own work apart (/proc/stat). The helper moves there and stays until it is interrupted:
// that the kernel took the core away from it shows that somebody else needs it. One thread, the
// helper itself, makes and uses this.
#pragma once

#include <sched.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

namespace tightwire::early {

struct CoreTimes {
  int core = 0;
  std::uint64_t busy = 0;  // clock ticks
  std::uint64_t idle = 0;
};

// Of the cores in the mask, from a text like /proc/stat.
[[nodiscard]] std::vector<CoreTimes> parse_core_times(const char* text, const cpu_set_t& mask);

class SpareCore {
 public:
  // `mask`: cores that may be used. `forced`: takes any of them, if there are two at least.
  SpareCore(const cpu_set_t& mask, bool forced);

  // Whether the calling thread stands on a spare core now; moves it if need be. Cheap between
  // intervals.
  [[nodiscard]] bool available();

  // Whether nobody has wanted the core since available() said yes. Costs less than a microsecond;
  // to be asked after every piece of work.
  [[nodiscard]] bool still_alone();

 private:
  using Clock = std::chrono::steady_clock;

  void measure();

  cpu_set_t mask_;
  bool forced_;
  int core_ = -1;  // where the thread stands; -1: nowhere
  Clock::time_point next_{};
  std::vector<CoreTimes> last_;
  double own_seconds_ = 0;
  long interruptions_ = 0;
};

}  // namespace tightwire::early
