// A core that the process may use and nobody else needs.
//
// By measurement: a core of the mask is spare if over the last interval it did nothing, the
// helper's own work apart (/proc/stat), nor those with which it shares its silicon (hyperthreads).
// The helper moves there and stays until others take the core away from it for longer than the
// system's own chores do. No two helpers of a user's processes share any: the core is leased until
// the helper leaves it, though it sleep. One thread, the helper itself, makes and uses this.
#pragma once

#include <sched.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <vector>

#include "os/cores/core_lease.h"
#include "os/cores/spare_cores.h"

namespace tightwire::os {

// How long others had the core of a thread that wanted to work: what the clock says and its own
// processor time does not.
class Interruptions {
 public:
  // The thread goes on after a sleep: `clock` and `own` in seconds.
  void resume(double clock, double own) {
    clock_ = clock;
    own_ = own;
  }
  // False once others had more than the system's chores take, since begin().
  [[nodiscard]] bool tolerable(double clock, double own) {
    lost_ += (clock - clock_) - (own - own_);
    resume(clock, own);
    return lost_ <= most_lost;
  }
  void begin() { lost_ = 0; }

 private:
  // In an interval. At its low priority the thread took a third of that from the others, and the
  // next interval is theirs: less than a hundredth of their time.
  static constexpr double most_lost = 5e-3;
  double clock_ = 0;
  double own_ = 0;
  double lost_ = 0;
};

class IdleCore {
 public:
  // `mask`: cores that may be used. `forced`: takes any of them, if there are two at least: where
  // it runs is then the scheduler's matter, and no core is leased.
  IdleCore(const cpu_set_t& mask, bool forced, CoreLeases& leases = CoreLeases::of_process(),
           std::filesystem::path root = "/");
  ~IdleCore() { leave(); }
  IdleCore(const IdleCore&) = delete;
  IdleCore& operator=(const IdleCore&) = delete;

  // Whether the calling thread stands on an idle core now; moves it if need be. Cheap between
  // intervals. To be asked before a run of work.
  [[nodiscard]] bool available();

  // No interval is over yet.
  [[nodiscard]] bool undecided() const { return measurements_ < 2; }

  // Whether others have left the core alone since available() said yes. Costs less than a
  // microsecond; to be asked after every piece of work, between which the thread did not sleep.
  [[nodiscard]] bool still_alone();

 private:
  using Clock = std::chrono::steady_clock;

  void measure();
  [[nodiscard]] const cpu_set_t& siblings(int core);
  void stand_on_one_of(const std::vector<int>& spare);
  void leave();

  cpu_set_t mask_;
  bool forced_;
  CoreLeases& leases_;
  std::filesystem::path root_;
  int core_ = -1;   // where the thread stands; -1: nowhere
  int place_ = -1;  // which is leased meanwhile: the first of the core's siblings
  Clock::time_point next_{};
  unsigned measurements_ = 0;
  std::vector<CoreTimes> last_;
  std::map<int, cpu_set_t> siblings_;
  double own_seconds_ = 0;
  Interruptions interruptions_;
};

}  // namespace tightwire::os
